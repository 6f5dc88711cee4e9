#include "vernier/engine/cells.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "vernier/core/utf8.hpp"
#include "vernier/query/written_value.hpp"

namespace vernier::engine {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (small(text[i]) != word[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<bool> boolean_cell(std::string_view text) { return query::written_boolean(text); }
std::optional<std::int64_t> integer_cell(std::string_view text) { return query::written_integer(text); }
std::optional<double> real_cell(std::string_view text) { return query::written_real(text); }

std::optional<query::Day> date_cell(std::string_view text) { return query::written_day(text); }

namespace {

std::string_view take_digits(std::string_view& text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(digits.size());
  return digits;
}

bool is_one_of(std::string_view text, const std::vector<std::string>& texts) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

bool is_a_word_of(std::string_view text, const std::vector<std::string>& words) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) { return is_word(text, word); });
}

// The number as it is usually written: without what stands between thousands, with a point. None where the groups are
// not of three digits, or a point stands where none is declared.
std::optional<std::string_view> usual_number(std::string_view text, const query::CellFormat& format,
                                             std::string& room) {
  const std::string_view mark = format.thousands;
  room.clear();
  if (text.starts_with('-') || text.starts_with('+')) {
    room += text.front();
    text.remove_prefix(1);
  }
  std::string_view group = take_digits(text);
  room += group;
  for (bool is_first = true; !mark.empty() && text.starts_with(mark); is_first = false) {
    if (is_first && (group.empty() || group.size() > 3)) return std::nullopt;
    text.remove_prefix(mark.size());
    group = take_digits(text);
    if (group.size() != 3) return std::nullopt;
    room += group;
  }
  if (text.starts_with(format.decimal_mark)) {
    room += '.';
    text.remove_prefix(1);
  }
  if (text.find(format.decimal_mark == '.' ? ',' : '.') != std::string_view::npos) return std::nullopt;
  return room.append(text);
}

}  // namespace

std::optional<bool> boolean_cell(std::string_view text, const query::CellFormat& format) {
  const std::string_view word = trimmed(text);
  if (is_one_of(word, format.missing_texts)) return std::nullopt;
  if (is_a_word_of(word, format.true_words)) return true;
  if (is_a_word_of(word, format.false_words)) return false;
  const std::optional<bool> usual = boolean_cell(word);
  const bool is_declared = usual && !(*usual ? format.true_words : format.false_words).empty();
  return is_declared ? std::nullopt : usual;
}

std::optional<std::int64_t> integer_cell(std::string_view text, const query::CellFormat& format, std::string& room) {
  const std::string_view cell = trimmed(text);
  if (is_one_of(cell, format.missing_texts)) return std::nullopt;
  const std::optional<std::string_view> number = usual_number(cell, format, room);
  return number ? integer_cell(*number) : std::nullopt;
}

std::optional<double> real_cell(std::string_view text, const query::CellFormat& format, std::string& room) {
  const std::string_view cell = trimmed(text);
  if (is_one_of(cell, format.missing_texts)) return std::nullopt;
  const std::optional<std::string_view> number = usual_number(cell, format, room);
  return number ? real_cell(*number) : std::nullopt;
}

std::optional<query::Day> date_cell(std::string_view text, const query::CellFormat& format) {
  const std::string_view cell = trimmed(text);
  if (is_one_of(cell, format.missing_texts)) return std::nullopt;
  return format.date_format.empty() ? query::read_day(cell) : query::read_day(cell, format.date_format);
}

std::string_view text_cell(std::string_view text, const query::CellFormat& format) {
  const std::string_view cell = format.trim ? trimmed(text) : text;
  return is_one_of(cell, format.missing_texts) ? std::string_view() : cell;
}

namespace {

template <class To>
std::optional<query::Value> read_as(const query::Value& value) {
  return std::visit(
      [](const auto& held) -> std::optional<query::Value> {
        if (auto read = To::of(held)) return query::Value(*std::move(read));
        return std::nullopt;
      },
      value);
}

}  // namespace

std::optional<query::Value> as_declared(query::Type declared, const query::Value& value) {
  switch (declared) {
    case query::Type::boolean:
      return read_as<ToBoolean>(value);
    case query::Type::integer:
      return read_as<ToInteger>(value);
    case query::Type::real:
      return read_as<ToReal>(value);
    case query::Type::string:
      return read_as<ToText>(value);
    case query::Type::date:
      break;
  }
  return read_as<ToDay>(value);
}

namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::int32_t greatest_scale = 38;
constexpr std::int32_t greatest_exact_power = 22;  // 10^22 is a double
constexpr std::uint64_t greatest_exact = std::uint64_t{1} << 53;

// The bytes without those in front that only repeat the sign.
std::string_view shortened(std::string_view bytes, char sign) {
  const auto says_sign = [&](char c) { return (c < 0) == (sign < 0); };
  while (bytes.size() > 1 && bytes.front() == sign && says_sign(bytes[1])) bytes.remove_prefix(1);
  return bytes;
}

std::string digits_of(Wide number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

// The nearest double of number * 10^-scale: both are exact and are divided once, or it is read as a decimal.
double scaled(Wide number, std::int32_t scale) {
  if (number <= greatest_exact && scale <= greatest_exact_power) {
    constexpr std::array<double, greatest_exact_power + 1> powers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                     1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                                     1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    return static_cast<double>(static_cast<std::uint64_t>(number)) / powers[static_cast<std::size_t>(scale)];
  }
  const std::string text = digits_of(number) + "e-" + std::to_string(scale);
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

std::optional<std::string_view> text_of_bytes(std::string_view bytes) {
  return is_utf8(bytes) ? std::optional(bytes) : std::nullopt;
}

std::optional<UuidText> text_of_uuid(std::string_view bytes) {
  if (bytes.size() != 16) return std::nullopt;
  constexpr std::string_view digits = "0123456789abcdef";
  UuidText text{};
  std::size_t at = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text.characters[at++] = '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    text.characters[at++] = digits[byte >> 4U];
    text.characters[at++] = digits[byte & 15U];
  }
  return text;
}

std::optional<double> real_of_decimal(std::string_view bytes, std::int32_t scale) {
  if (bytes.empty() || scale < 0 || scale > greatest_scale) return std::nullopt;
  const bool is_negative = bytes.front() < 0;
  bytes = shortened(bytes, is_negative ? '\xff' : '\0');
  if (bytes.size() > sizeof(Wide)) return std::nullopt;
  Wide number = is_negative ? ~Wide{0} : Wide{0};
  for (const char c : bytes) number = number << 8U | static_cast<unsigned char>(c);
  const double size = scaled(is_negative ? ~number + 1 : number, scale);
  return is_negative ? -size : size;
}

std::optional<double> real_of_half(std::string_view bytes) {
  if (bytes.size() != 2) return std::nullopt;
  const unsigned bits =
      static_cast<unsigned char>(bytes[0]) | static_cast<unsigned>(static_cast<unsigned char>(bytes[1])) << 8U;
  const int exponent = static_cast<int>(bits >> 10U & 31U);
  const auto fraction = static_cast<double>(bits & 1023U);
  const double sign = (bits >> 15U) != 0 ? -1 : 1;
  if (exponent == 31) return fraction == 0 ? sign * std::numeric_limits<double>::infinity() : std::nan("");
  return sign * (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
}

std::optional<query::Day> day_of_number(std::int32_t number) {
  constexpr std::int32_t first = -719162;  // 0001-01-01
  constexpr std::int32_t last = 2932896;   // 9999-12-31
  if (number < first || number > last) return std::nullopt;
  return query::Day{number};
}

}  // namespace vernier::engine
