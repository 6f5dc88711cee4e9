#include "vernier/query/expression/span.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::optional<IntegerSpan> within_limits(IntegerSpan span) {
  if (span.lower < -greatest_integer() || span.upper > greatest_integer()) return std::nullopt;
  return span;
}

bool holds_zero(auto span) { return span.lower <= 0 && span.upper >= 0; }

Int128 largest_size(IntegerSpan span) { return std::max(-span.lower, span.upper); }

RealSpan around(std::initializer_list<double> corners) { return {std::min(corners), std::max(corners)}; }

}  // namespace

Int128 greatest_integer() {
  constexpr Int128 nine_digits = 1'000'000'000;
  return nine_digits * nine_digits * nine_digits * nine_digits * 100 - 1;  // 38 nines
}

const RealSpan any_real{-greatest_real, greatest_real};
const DaySpan any_day{first_day, last_day};

Span widest(Type type) {
  switch (type) {
    case Type::integer:
      return any_integer;
    case Type::real:
      return any_real;
    case Type::date:
      return any_day;
    case Type::boolean:
    case Type::string:
      break;
  }
  return std::monostate{};
}

bool is_narrow(IntegerSpan span) { return span.lower >= INT64_MIN && span.upper <= INT64_MAX; }

// Ends have at most 38 digits, so that sums and differences stay within 127 bits; products are checked.
std::optional<IntegerSpan> sum(IntegerSpan a, IntegerSpan b) {
  Int128 lower = 0;
  Int128 upper = 0;
  if (__builtin_add_overflow(a.lower, b.lower, &lower) || __builtin_add_overflow(a.upper, b.upper, &upper)) return {};
  return within_limits({lower, upper});
}

std::optional<IntegerSpan> difference(IntegerSpan a, IntegerSpan b) { return sum(a, negated(b)); }

std::optional<IntegerSpan> product(IntegerSpan a, IntegerSpan b) {
  IntegerSpan span{std::numeric_limits<Int128>::max(), std::numeric_limits<Int128>::min()};
  for (const Int128 x : {a.lower, a.upper}) {
    for (const Int128 y : {b.lower, b.upper}) {
      Int128 corner = 0;
      if (__builtin_mul_overflow(x, y, &corner)) return std::nullopt;
      span = {std::min(span.lower, corner), std::max(span.upper, corner)};
    }
  }
  return within_limits(span);
}

IntegerSpan negated(IntegerSpan a) { return {-a.upper, -a.lower}; }

IntegerSpan magnitude(IntegerSpan a) {
  if (holds_zero(a)) return {0, largest_size(a)};
  return a.lower > 0 ? a : negated(a);
}

// A divisor other than 0 has size 1 at least, so that the quotient is no larger than the dividend.
IntegerSpan truncated_quotient(IntegerSpan a, IntegerSpan b) {
  if (a.lower >= 0 && b.lower >= 0) return {0, a.upper};
  return {-largest_size(a), largest_size(a)};
}

IntegerSpan remainder(IntegerSpan a, IntegerSpan b) {
  const Int128 size = std::min(largest_size(a), std::max<Int128>(largest_size(b), 1) - 1);
  return {a.lower >= 0 ? 0 : -size, a.upper <= 0 ? 0 : size};
}

RealSpan sum(RealSpan a, RealSpan b) { return {a.lower + b.lower, a.upper + b.upper}; }

RealSpan difference(RealSpan a, RealSpan b) { return {a.lower - b.upper, a.upper - b.lower}; }

RealSpan flushed(RealSpan span) {
  const auto end = [](double x) { return std::abs(x) <= least_real ? 0.0 : x; };
  return {end(span.lower), end(span.upper)};
}

RealSpan product(RealSpan one, RealSpan other) {
  const RealSpan a = flushed(one), b = flushed(other);
  return around({a.lower * b.lower, a.lower * b.upper, a.upper * b.lower, a.upper * b.upper});
}

RealSpan quotient(RealSpan one, RealSpan b) {
  const RealSpan a = flushed(one);
  if (touches_zero(b)) return {-infinity, infinity};
  return around({a.lower / b.lower, a.lower / b.upper, a.upper / b.lower, a.upper / b.upper});
}

RealSpan negated(RealSpan a) { return {-a.upper, -a.lower}; }

RealSpan magnitude(RealSpan a) {
  const double least = holds_zero(a) ? 0 : std::min(std::abs(a.lower), std::abs(a.upper));
  return {least, std::max(std::abs(a.lower), std::abs(a.upper))};
}

bool is_within_reals(RealSpan span) { return span.lower >= any_real.lower && span.upper <= any_real.upper; }

bool touches_zero(RealSpan span) { return span.lower <= least_real && span.upper >= -least_real; }

RealSpan to_real(IntegerSpan span) {
  const auto lower = static_cast<double>(span.lower);
  const auto upper = static_cast<double>(span.upper);
  if (is_narrow(span)) return {lower, upper};
  constexpr double slack = 0x1p-50;
  return {lower - slack * std::abs(lower), upper + slack * std::abs(upper)};
}

Span hull(const Span& a, const Span& b) {
  const auto both = [](const auto& x, const auto& y) {
    return std::decay_t<decltype(x)>{std::min(x.lower, y.lower), std::max(x.upper, y.upper)};
  };
  if (const auto* const x = std::get_if<IntegerSpan>(&a)) return both(*x, std::get<IntegerSpan>(b));
  if (const auto* const x = std::get_if<RealSpan>(&a)) return both(*x, std::get<RealSpan>(b));
  if (const auto* const x = std::get_if<DaySpan>(&a)) return both(*x, std::get<DaySpan>(b));
  return a;
}

bool contains(const Span& span, const Value& value) {
  const auto inside = [](const auto& ends, const auto& x) { return ends.lower <= x && x <= ends.upper; };
  if (const auto* const ends = std::get_if<IntegerSpan>(&span)) return inside(*ends, std::get<std::int64_t>(value));
  if (const auto* const ends = std::get_if<RealSpan>(&span)) return inside(*ends, std::get<double>(value));
  if (const auto* const ends = std::get_if<DaySpan>(&span)) return inside(*ends, std::get<Day>(value));
  return true;
}

}  // namespace vernier::query
