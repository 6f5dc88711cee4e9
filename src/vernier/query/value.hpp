#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

namespace vernier::query {

// What a column, a key or an expression is made of. There are no others, and nothing is ever inferred.
enum class Type : std::uint8_t { boolean, integer, real, string, date };

// As catalogs and sentences write it: "integer".
std::string_view name_of(Type type);

// A day, counted from 1970-01-01; between 0001-01-01 and 9999-12-31.
struct Day {
  std::int32_t number;
  friend auto operator<=>(const Day&, const Day&) = default;
};

// A value of one of the types. Reals are finite.
using Value = std::variant<bool, std::int64_t, double, std::string, Day>;

Type type_of(const Value& value);

}  // namespace vernier::query
