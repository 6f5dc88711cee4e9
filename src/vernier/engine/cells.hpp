#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "vernier/query/cell_format.hpp"
#include "vernier/query/value.hpp"

// How the text of a CSV cell becomes a value of the declared type; none where it is no such text. Blanks around it do
// not count. docs/guide/catalog.md tells stewards the same rules.
namespace vernier::engine {

std::optional<bool> boolean_cell(std::string_view text);          // true or false in any case, 1 or 0
std::optional<std::int64_t> integer_cell(std::string_view text);  // a decimal number that is whole, within 64 bits
std::optional<double> real_cell(std::string_view text);           // a decimal number within the range of doubles
std::optional<query::Day> date_cell(std::string_view text);       // 2026-01-31

// The same of cells that are written otherwise, as declared; a text that means that nothing is known is none. `room` is
// where a text is spelled anew.
std::optional<bool> boolean_cell(std::string_view text, const query::CellFormat& format);
std::optional<std::int64_t> integer_cell(std::string_view text, const query::CellFormat& format, std::string& room);
std::optional<double> real_cell(std::string_view text, const query::CellFormat& format, std::string& room);
std::optional<query::Day> date_cell(std::string_view text, const query::CellFormat& format);
std::string_view text_cell(std::string_view text, const query::CellFormat& format);  // empty where it is none

// What a value of any type is in the type that a column was declared with; none where it is nothing there. Nothing is
// refused, so that no value decides whether a table is taken. Text is read as a CSV cell is; a truth value is 1 or 0
// among numbers; a real is an integer where it is whole; days are no numbers.
template <class Type>
concept Number = std::integral<Type> || std::floating_point<Type>;

// The integer that a real is, if it is one.
inline std::optional<std::int64_t> whole(double value) {
  const bool is_whole = value >= -0x1p63 && value < 0x1p63 && value == std::trunc(value);
  return is_whole ? std::optional(static_cast<std::int64_t>(value)) : std::nullopt;
}

struct ToBoolean {
  static std::optional<bool> of(bool value) { return value; }
  static std::optional<bool> of(std::string_view text) { return boolean_cell(text); }
  static std::optional<bool> of(query::Day) { return std::nullopt; }
  static std::optional<bool> of(Number auto number) {
    return number == 0 || number == 1 ? std::optional(number == 1) : std::nullopt;
  }
};

struct ToInteger {
  static std::optional<std::int64_t> of(bool value) { return value ? 1 : 0; }
  static std::optional<std::int64_t> of(double value) { return whole(value); }
  static std::optional<std::int64_t> of(std::string_view text) { return integer_cell(text); }
  static std::optional<std::int64_t> of(query::Day) { return std::nullopt; }
  static std::optional<std::int64_t> of(std::integral auto number) {
    return std::in_range<std::int64_t>(number) ? std::optional(static_cast<std::int64_t>(number)) : std::nullopt;
  }
};

struct ToReal {
  static std::optional<double> of(bool value) { return value ? 1 : 0; }
  static std::optional<double> of(std::string_view text) { return real_cell(text); }
  static std::optional<double> of(query::Day) { return std::nullopt; }
  static std::optional<double> of(Number auto number) { return static_cast<double>(number); }
};

struct ToDay {
  static std::optional<query::Day> of(query::Day day) { return day; }
  static std::optional<query::Day> of(std::string_view text) { return date_cell(text); }
  static std::optional<query::Day> of(Number auto) { return std::nullopt; }
};

struct ToText {
  static std::optional<std::string> of(bool value) { return value ? "true" : "false"; }
  static std::optional<std::string> of(query::Day day) { return query::text_of(day); }
  static std::optional<std::string> of(std::string_view text) { return std::string(text); }
  static std::optional<std::string> of(std::integral auto number) { return std::to_string(number); }
  static std::optional<std::string> of(double value) {
    if (const std::optional<std::int64_t> number = whole(value)) return std::to_string(*number);
    return std::isfinite(value) ? std::optional(query::plain(value)) : std::nullopt;
  }
};

// The same, of a value that is looked at by itself.
std::optional<query::Value> as_declared(query::Type declared, const query::Value& value);

// What the bytes of a cell in a Parquet file mean. Every function is total: of what it does not know it says nothing.
// The text, where it is UTF-8.
std::optional<std::string_view> text_of_bytes(std::string_view bytes);

// 16 bytes as 123e4567-e89b-12d3-a456-426614174000.
struct UuidText {
  std::array<char, 36> characters;
  std::string_view view() const { return {characters.data(), characters.size()}; }
};
std::optional<UuidText> text_of_uuid(std::string_view bytes);

// A whole number in two's complement, the highest byte first, times 10^-scale: the nearest double. None where it has no
// byte or needs more than 128 bits.
std::optional<double> real_of_decimal(std::string_view bytes, std::int32_t scale);

// Two bytes of IEEE 754 binary16, the lower first.
std::optional<double> real_of_half(std::string_view bytes);

// The day so many days after 1970-01-01, within the years that there are.
std::optional<query::Day> day_of_number(std::int32_t number);

}  // namespace vernier::engine
