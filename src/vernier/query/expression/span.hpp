#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "vernier/query/value.hpp"

// What an expression may come out as: the least and the greatest value, found from the catalog alone. A span is a
// promise about every row that there could ever be, and it is kept by the form of the rendered SQL (sql.md).
namespace vernier::query {

__extension__ using Int128 = __int128;

// No integer expression may leave these ends: it fits DuckDB's HUGEINT and the 38 digits of other engines' decimals.
Int128 greatest_integer();

struct IntegerSpan {
  Int128 lower;
  Int128 upper;
  friend bool operator==(const IntegerSpan&, const IntegerSpan&) = default;
};

// Reals that count are 0 or lie between these, by their size: within them no engine overflows, underflows or raises an
// error in + - * and /.
inline constexpr double least_real = 1e-150;
inline constexpr double greatest_real = 1e150;

struct RealSpan {  // both ends finite
  double lower;
  double upper;
  friend bool operator==(const RealSpan&, const RealSpan&) = default;
};

struct DaySpan {
  Day lower;
  Day upper;
  friend bool operator==(const DaySpan&, const DaySpan&) = default;
};

// Booleans and strings have none.
using Span = std::variant<std::monostate, IntegerSpan, RealSpan, DaySpan>;

inline constexpr IntegerSpan any_integer{INT64_MIN, INT64_MAX};
extern const RealSpan any_real;  // up to greatest_real
extern const DaySpan any_day;    // 0001-01-01 to 9999-12-31

// The span of a type about which nothing else is known.
Span widest(Type type);

// Whether every value fits in 64 bits.
bool is_narrow(IntegerSpan span);

// Integers: the exact span of the result, or none where it could leave the greatest integer.
std::optional<IntegerSpan> sum(IntegerSpan a, IntegerSpan b);
std::optional<IntegerSpan> difference(IntegerSpan a, IntegerSpan b);
std::optional<IntegerSpan> product(IntegerSpan a, IntegerSpan b);
IntegerSpan negated(IntegerSpan a);
IntegerSpan magnitude(IntegerSpan a);
IntegerSpan truncated_quotient(IntegerSpan a, IntegerSpan b);  // toward zero; b = 0 gives no value
IntegerSpan remainder(IntegerSpan a, IntegerSpan b);           // with the sign of a; b = 0 gives no value

// Reals: the ends after rounding to nearest, which is monotone, so that they hold every rounded result. They may be
// infinite or beyond greatest_real: then some rows have no result.
RealSpan sum(RealSpan a, RealSpan b);
RealSpan difference(RealSpan a, RealSpan b);
RealSpan product(RealSpan a, RealSpan b);
RealSpan quotient(RealSpan a, RealSpan b);  // b = 0 gives no value
RealSpan negated(RealSpan a);
RealSpan magnitude(RealSpan a);
bool is_within_reals(RealSpan span);  // within any_real

// With 0 in place of what is nearer to 0 than least_real, as it is multiplied, divided and put into buckets.
RealSpan flushed(RealSpan span);

// Whether some of its values are 0, or count as 0 where they are multiplied or divided by.
bool touches_zero(RealSpan span);

// As a double: 64 bits are rounded to nearest; wider integers are converted by some engines in two roundings, for which
// the ends move outward by a relative 2^-50.
RealSpan to_real(IntegerSpan span);

// The least span that holds both; both have one type.
Span hull(const Span& a, const Span& b);

// Whether a value of the type lies in the span.
bool contains(const Span& span, const Value& value);

}  // namespace vernier::query
