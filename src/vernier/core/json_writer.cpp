#include "vernier/core/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"
#include "vernier/core/utf8.hpp"

namespace vernier {
namespace {

bool fits_a_double(std::int64_t number) {
  const auto nearest = static_cast<double>(number);
  return nearest < 0x1p63 && static_cast<std::int64_t>(nearest) == number;
}

// A unit of UTF-16: what JSON escapes by.
std::string escaped(char32_t unit) {
  const std::array<char, 2> bytes = {static_cast<char>(unit >> 8), static_cast<char>(unit & 0xFF)};
  return "\\u" + hex({bytes.data(), bytes.size()});
}

// Reads back as the same character; bytes that are no UTF-8 read back as the replacement character.
std::string escaped_character(char32_t c) {
  if (c == no_character) return escaped(0xFFFD);
  if (c < 0x10000) return escaped(c);
  return escaped(0xD800 + ((c - 0x10000) >> 10)) + escaped(0xDC00 + ((c - 0x10000) & 0x3FF));
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
  const double unsigned_zero = number == 0 ? 0.0 : number;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), unsigned_zero, std::chars_format::general, 17);
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

// What cannot be seen is escaped: a record that is looked at on a terminal moves no cursor.
void JsonWriter::write_string(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    if (c == no_character || is_unseen(c)) {
      quoted += escaped_character(c);
      continue;
    }
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += before.substr(0, before.size() - text.size());
  }
  sink_(quoted + '"');
}

}  // namespace vernier
