#include "cli/json.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

bool fits_a_double(std::int64_t number) {
  const auto nearest = static_cast<double>(number);
  return nearest < 0x1p63 && static_cast<std::int64_t>(nearest) == number;
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate();
  write_string(name);
  output_.write(":");
  first_ = true;
}

void JsonWriter::value(std::string_view text) {
  separate();
  write_string(text);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return value(std::string_view(shortest(number)));
  separate();
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number, std::chars_format::general, 17);
  output_.write({digits.begin(), end});
}

void JsonWriter::value(std::int64_t number) {
  const fmt::format_int digits(number);
  if (!fits_a_double(number)) return value(std::string_view(digits.data(), digits.size()));
  separate();
  output_.write({digits.data(), digits.size()});
}

void JsonWriter::value(const Number& number) {
  std::visit([this](auto content) { value(content); }, number);
}

void JsonWriter::boolean(bool truth) {
  separate();
  output_.write(truth ? "true" : "false");
}

void JsonWriter::value(const std::optional<double>& number) { number ? value(*number) : write_null(); }

void JsonWriter::value(const std::optional<std::string_view>& text) { text ? value(*text) : write_null(); }

void JsonWriter::open(char bracket) {
  separate();
  output_.write({&bracket, 1});
  first_ = true;
}

void JsonWriter::close(char bracket) {
  output_.write({&bracket, 1});
  first_ = false;
}

void JsonWriter::separate() {
  if (!first_) output_.write(",");
  first_ = false;
}

void JsonWriter::write_null() {
  separate();
  output_.write("null");
}

void JsonWriter::write_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    if (static_cast<unsigned char>(character) < 0x20) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(character));
    } else {
      if (character == '"' || character == '\\') quoted += '\\';
      quoted += character;
    }
  }
  output_.write(quoted + '"');
}

}  // namespace vernier::cli
