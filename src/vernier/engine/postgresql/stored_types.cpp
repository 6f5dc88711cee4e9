#include "vernier/engine/postgresql/stored_types.hpp"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "vernier/engine/sql/stored_types.hpp"

namespace vernier::engine {
namespace {

using query::Type;

// CHAR is refused, since blanks at its end do not count; timestamps, since their day depends on a zone.
constexpr std::array stored_types = {
    StoredType{"boolean", {Type::boolean}},
    StoredType{"smallint", {Type::integer, Type::real}},
    StoredType{"integer", {Type::integer, Type::real}},
    StoredType{"bigint", {Type::integer, Type::real}},
    StoredType{"real", {Type::real}},
    StoredType{"double precision", {Type::real}},
    StoredType{"text", {Type::string}},
    StoredType{"uuid", {Type::string}},
    StoredType{"character varying", {Type::string}},
    StoredType{"date", {Type::date}},
};

// Of "numeric(10,2)"; none of "numeric", whose values have up to 131,072 digits before the point and 16,383 behind it.
struct Digits {
  int precision;
  int scale;
};

std::optional<Digits> digits_of(std::string_view stored) {
  const std::size_t bracket = stored.find('('), comma = stored.find(',');
  if (bracket == std::string_view::npos || comma == std::string_view::npos) return std::nullopt;
  Digits digits{};
  const char* const end = stored.data() + stored.size();
  const bool has_precision = std::from_chars(stored.data() + bracket + 1, end, digits.precision).ec == std::errc();
  const bool has_scale = std::from_chars(stored.data() + comma + 1, end, digits.scale).ec == std::errc();
  return has_precision && has_scale ? std::optional(digits) : std::nullopt;
}

// A cast to BIGINT fails of NaN, which every NUMERIC may be, and beyond 64 bits; and it would round, so that two units
// became one.
std::string whole_number(const std::string& x) {
  return "CASE WHEN " + x + " BETWEEN -9223372036854775808 AND 9223372036854775807 AND " + x + " = trunc(" + x +
         ") THEN CAST(" + x + " AS BIGINT) END";
}

// A cast to DOUBLE PRECISION fails beyond its range and below it. NaN is above infinity.
std::string real_number(const std::string& x) {
  const auto constant = [](const char* text) { return "CAST('" + std::string(text) + "' AS DOUBLE PRECISION)"; };
  return "CASE WHEN " + x + " < -1e150 THEN " + constant("-Infinity") + " WHEN abs(" + x + ") < 1e-150 THEN " +
         constant("0") + " WHEN " + x + " <= 1e150 THEN CAST(" + x + " AS DOUBLE PRECISION) WHEN " + x +
         " <= CAST('Infinity' AS NUMERIC) THEN " + constant("Infinity") + " END";
}

std::string guarded(const std::string& column, Type as) {
  return as == Type::integer ? whole_number(column) : real_number(column);
}

// PostgreSQL 15 has scales below 0 and above the precision too.
EngineColumn numeric(EngineColumn column) {
  const auto digits = digits_of(column.stored);
  column.may_be = {Type::real};
  if (!digits || digits->scale <= 0) column.may_be.insert(column.may_be.begin(), Type::integer);
  column.reading = guarded;
  return column;
}

}  // namespace

EngineColumn postgresql_column(std::string name, std::string stored) {
  EngineColumn column{std::move(name), std::move(stored), {}};
  const std::string bare = column.stored.substr(0, column.stored.find('('));
  if (bare == "numeric") return numeric(std::move(column));
  column.may_be = types_named(bare, stored_types);
  return column;
}

}  // namespace vernier::engine
