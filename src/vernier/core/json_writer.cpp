#include "vernier/core/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"

namespace vernier {
namespace {

bool fits_a_double(std::int64_t number) {
  const auto nearest = static_cast<double>(number);
  return nearest < 0x1p63 && static_cast<std::int64_t>(nearest) == number;
}

bool is_control(char character) { return static_cast<unsigned char>(character) < 0x20; }

std::string escaped(char character) {
  std::string text = "\\";
  if (is_control(character)) text += "u00" + hex({&character, 1});
  if (!is_control(character)) text += character;
  return text;
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate();
  write_string(name);
  sink_(":");
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
  sink_({digits.begin(), end});
}

void JsonWriter::value(std::int64_t number) {
  std::array<char, 24> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), number);
  const std::string_view text(digits.begin(), end);
  if (!fits_a_double(number)) return value(text);
  separate();
  sink_(text);
}

void JsonWriter::value(const std::variant<std::int64_t, double>& number) {
  std::visit([this](auto content) { value(content); }, number);
}

void JsonWriter::boolean(bool truth) {
  separate();
  sink_(truth ? "true" : "false");
}

void JsonWriter::value(const std::optional<double>& number) { number ? value(*number) : null(); }

void JsonWriter::value(const std::optional<std::string_view>& text) { text ? value(*text) : null(); }

void JsonWriter::open(char bracket) {
  separate();
  sink_({&bracket, 1});
  first_ = true;
}

void JsonWriter::close(char bracket) {
  sink_({&bracket, 1});
  first_ = false;
}

void JsonWriter::separate() {
  if (!first_) sink_(",");
  first_ = false;
}

void JsonWriter::null() {
  separate();
  sink_("null");
}

void JsonWriter::write_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char character : text) {
    const bool is_plain = !is_control(character) && character != '"' && character != '\\';
    is_plain ? quoted += character : quoted += escaped(character);
  }
  sink_(quoted + '"');
}

}  // namespace vernier
