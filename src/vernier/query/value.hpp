#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "vernier/core/json_writer.hpp"

namespace vernier::query {

// What a column, a key or an expression is made of. There are no others, and nothing is ever inferred.
enum class Type : std::uint8_t { boolean, integer, real, string, date };

// As catalogs and sentences write it: "integer".
std::string_view name_of(Type type);
std::optional<Type> type_named(std::string_view name);
std::vector<std::string> type_names();

// A day, counted from 1970-01-01; between 0001-01-01 and 9999-12-31.
struct Day {
  std::int32_t number;

  // None where there is no such day, or it lies outside those years.
  static std::optional<Day> of(int year, unsigned month, unsigned day);
  friend auto operator<=>(const Day&, const Day&) = default;
};

// As files write it, 2026-01-31, and back; none for anything else.
std::string text_of(Day day);
std::optional<Day> read_day(std::string_view text);

// A value of one of the types. Reals are finite.
using Value = std::variant<bool, std::int64_t, double, std::string, Day>;

Type type_of(const Value& value);

// The shortest decimal, without an exponent where it is a whole number below 1e15: 200000 and not 2e+05.
std::string plain(double value);

// For a person: true, 12, 0.5, north, 2026-01-31.
std::string text_of(const Value& value);

inline constexpr Day first_day{-719162};  // 0001-01-01
inline constexpr Day last_day{2932896};   // 9999-12-31

int year_of(Day day);

// A value in its own type; days as text.
void write_value(JsonWriter& json, const Value& value);

// A list of texts.
void write_texts(JsonWriter& json, std::string_view key, const std::vector<std::string>& texts);

}  // namespace vernier::query
