#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "vernier/engine/cells.hpp"
#include "vernier/query/value.hpp"

// What a value of any type is in the type that a column was declared with; none where it is nothing there. Nothing is
// refused, so that no value decides whether a table is taken. Text is read as a CSV cell is; a truth value is 1 or 0
// among numbers; a real is an integer where it is whole; days are no numbers.
namespace vernier::engine {

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

}  // namespace vernier::engine
