#include "vernier/interval/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Empty where low > high: it is defined nowhere.
bool is_empty(const Known& a) { return a.low > a.high; }

bool any_undefined(const Known& a, const Known& b) { return a.may_be_undefined || b.may_be_undefined; }

Known undefined_everywhere() { return {infinite, -infinite, false, true}; }

// NULL, where an operand is nothing else.
bool is_nothing(const Known& a, const Known& b) { return is_empty(a) || is_empty(b); }

bool has_zero(const Known& a) { return a.low <= 0 && a.high >= 0; }

// 0 times anything is 0, since an infinite end stands for numbers that are finite.
double product(double a, double b, double (*times)(double, double)) { return a == 0 || b == 0 ? 0 : times(a, b); }

// A quotient whose divisor does not change its sign, at its corners.
Known quotient(const Known& a, const Known& b) {
  const auto at = [&](double x, double y, double (*over)(double, double)) {
    if (std::isinf(y)) return 0.0;
    if (y == 0) return x == 0 ? 0.0 : (x > 0) == (b.high > 0) ? infinite : -infinite;  // toward 0 from its side
    return over(x, y);
  };
  const std::array corners = {std::pair{a.low, b.low}, std::pair{a.low, b.high}, std::pair{a.high, b.low},
                              std::pair{a.high, b.high}};
  Known made{infinite, -infinite, false, any_undefined(a, b)};
  for (const auto& [x, y] : corners) {
    made.low = std::min(made.low, at(x, y, numeric::divide_down));
    made.high = std::max(made.high, at(x, y, numeric::divide_up));
  }
  return made;
}

template <class Function>
Known monotone(const Known& a, bool is_whole, const Function& function) {
  if (is_empty(a)) return a;
  return {function(a.low), function(a.high), is_whole, a.may_be_undefined};
}

Known truth(bool may_be_true, bool may_be_false, bool may_be_undefined) {
  if (!may_be_true && !may_be_false) return {infinite, -infinite, true, true};
  return {may_be_false ? 0.0 : 1.0, may_be_true ? 1.0 : 0.0, true, may_be_undefined};
}

bool may_be_true(const Known& a) { return a.high >= 1; }
bool may_be_false(const Known& a) { return a.low <= 0 && !is_empty(a); }

// x^n of a size x >= 0, by libm within 2 units in the last place, and exactly where it is a small whole number.
double power_end(double x, double exponent, bool is_up) {
  if (x == 0 || x == 1 || exponent == 1 || std::isinf(x)) return std::pow(x, exponent);
  const double made = std::pow(x, exponent);
  const bool is_exact = x == std::floor(x) && exponent == std::floor(exponent) && exponent > 0 && made < 0x1p53;
  if (is_exact) return made;
  double end = made;
  for (int i = 0; i < 4; ++i) end = std::nextafter(end, is_up ? infinite : 0.0);
  return end;
}

Known power_of_size(const Known& a, double exponent) {
  return {power_end(a.low, exponent, false), power_end(a.high, exponent, true), a.is_whole, a.may_be_undefined};
}

}  // namespace

Known exactly(double value) { return {value, value, value == std::floor(value)}; }

Known nothing_but_undefined() { return undefined_everywhere(); }

Known hull(const Known& a, const Known& b) {
  if (is_empty(a)) return {b.low, b.high, b.is_whole, true};
  if (is_empty(b)) return {a.low, a.high, a.is_whole, true};
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.is_whole && b.is_whole, any_undefined(a, b)};
}

Known add(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return undefined_everywhere();
  return {numeric::add_down(a.low, b.low), numeric::add_up(a.high, b.high), a.is_whole && b.is_whole,
          any_undefined(a, b)};
}

Known subtract(const Known& a, const Known& b) { return add(a, negate(b)); }

Known multiply(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return undefined_everywhere();
  Known made{infinite, -infinite, a.is_whole && b.is_whole, any_undefined(a, b)};
  for (const double x : {a.low, a.high}) {
    for (const double y : {b.low, b.high}) {
      made.low = std::min(made.low, product(x, y, numeric::multiply_down));
      made.high = std::max(made.high, product(x, y, numeric::multiply_up));
    }
  }
  return made;
}

Known divide(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return undefined_everywhere();
  if (!has_zero(b)) return quotient(a, b);
  const double step = b.is_whole ? 1 : 0;
  Known made = undefined_everywhere();
  if (b.high > 0 && b.high >= step) made = hull(made, quotient(a, {step, b.high, b.is_whole}));
  if (b.low < 0 && b.low <= -step) made = hull(made, quotient(a, {b.low, -step, b.is_whole}));
  made.may_be_undefined = true;
  return made;
}

Known divide_truncated(const Known& a, const Known& b) { return truncate(divide(a, b)); }

Known negate(const Known& a) { return {-a.high, -a.low, a.is_whole, a.may_be_undefined}; }

Known absolute(const Known& a) {
  if (is_empty(a) || a.low >= 0) return a;
  if (a.high <= 0) return negate(a);
  return {0, std::max(-a.low, a.high), a.is_whole, a.may_be_undefined};
}

Known floor(const Known& a) {
  return monotone(a, true, [](double x) { return std::floor(x); });
}
Known ceil(const Known& a) {
  return monotone(a, true, [](double x) { return std::ceil(x); });
}
Known truncate(const Known& a) {
  return monotone(a, true, [](double x) { return std::trunc(x); });
}

double rounded_at(double value, int digits) {
  if (!std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::abs(digits));
  const double made = digits >= 0 ? std::round(value * unit) / unit : std::round(value / unit) * unit;
  return std::isfinite(made) ? made : value;
}

// Moved to the grid outwards before halves are looked at, so that no half comes about by rounding the product.
Known round(const Known& a, int digits) {
  if (is_empty(a)) return a;
  const double unit = std::pow(10.0, std::abs(digits));
  const auto at = [&](double x, bool is_up) {
    if (!std::isfinite(x) || std::abs(x) > 0x1p53) return x;
    if (digits < 0) return std::round(is_up ? numeric::divide_up(x, unit) : numeric::divide_down(x, unit)) * unit;
    const double moved = std::round(is_up ? numeric::multiply_up(x, unit) : numeric::multiply_down(x, unit));
    return is_up ? numeric::divide_up(moved, unit) : numeric::divide_down(moved, unit);
  };
  return {at(a.low, false), at(a.high, true), digits <= 0 || a.is_whole, a.may_be_undefined};
}

Known square_root(const Known& a) {
  if (is_empty(a) || a.high < 0) return undefined_everywhere();
  const double low = std::max(a.low, 0.0);
  return {numeric::sqrt_down(low), numeric::sqrt_up(a.high), false, a.may_be_undefined || a.low < 0};
}

Known exponential(const Known& a) {
  if (is_empty(a)) return a;
  return {a.low == -infinite ? 0 : numeric::exp_down(a.low), numeric::exp_up(a.high), false, a.may_be_undefined};
}

Known logarithm(const Known& a) {
  if (is_empty(a) || a.high <= 0) return undefined_everywhere();
  const double least = a.is_whole ? 1 : 0;  // of what is above 0
  const double low = a.low > 0 ? a.low : least;
  return {low > 0 ? numeric::log_down(low) : -infinite, numeric::log_up(a.high), false,
          a.may_be_undefined || a.low <= 0};
}

Known logarithm(const Known& a, double base) {
  return divide(logarithm(a), {numeric::log_down(base), numeric::log_up(base)});
}

Known power(const Known& a, double exponent) {
  if (is_empty(a)) return a;
  if (exponent == 0) return {1, 1, true, a.may_be_undefined};
  if (exponent < 0) return divide(exactly(1), power(a, -exponent));
  const bool is_whole_power = exponent == std::floor(exponent);
  if (!is_whole_power) {
    if (a.high < 0) return undefined_everywhere();
    Known made = power_of_size({std::max(a.low, 0.0), a.high}, exponent);
    made.may_be_undefined = a.may_be_undefined || a.low < 0;
    return made;
  }
  const bool is_even = std::fmod(exponent, 2) == 0;
  if (is_even || a.low >= 0) return power_of_size(absolute(a), exponent);
  if (a.high <= 0) return negate(power_of_size(negate(a), exponent));
  return {-power_end(-a.low, exponent, true), power_end(a.high, exponent, true), a.is_whole, a.may_be_undefined};
}

// LEAST and GREATEST leave out what is not defined: the result is one of both.
Known least(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return hull(a, b);
  Known made{std::min(a.low, b.low), std::min(a.high, b.high), a.is_whole && b.is_whole,
             a.may_be_undefined && b.may_be_undefined};
  if (a.may_be_undefined) made.high = std::max(made.high, b.high);
  if (b.may_be_undefined) made.high = std::max(made.high, a.high);
  return made;
}

Known greatest(const Known& a, const Known& b) { return negate(least(negate(a), negate(b))); }

Known coalesce(const Known& a, const Known& b) {
  if (is_empty(a)) return b;
  if (!a.may_be_undefined) return a;
  if (is_empty(b)) return a;
  return {std::min(a.low, b.low), std::max(a.high, b.high), a.is_whole && b.is_whole, b.may_be_undefined};
}

Known null_if(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return a;
  const bool may_be_equal = a.low <= b.high && b.low <= a.high;
  Known made = a;
  made.may_be_undefined = a.may_be_undefined || may_be_equal;
  const bool is_end = a.is_whole && b.low == b.high && !b.may_be_undefined;
  if (is_end && a.low == b.low) made.low = a.low + 1;
  if (is_end && a.high == b.high) made.high = a.high - 1;
  return made;
}

Known equal(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return undefined_everywhere();
  const bool may_be_equal = a.low <= b.high && b.low <= a.high;
  const bool are_points = a.low == a.high && b.low == b.high;
  return truth(may_be_equal, !(may_be_equal && are_points), any_undefined(a, b));
}

Known less(const Known& a, const Known& b) {
  if (is_nothing(a, b)) return undefined_everywhere();
  return truth(a.low < b.high, a.high >= b.low, any_undefined(a, b));
}

Known less_equal(const Known& a, const Known& b) { return logical_not(less(b, a)); }

Known logical_not(const Known& a) {
  if (is_empty(a)) return a;
  return truth(may_be_false(a), may_be_true(a), a.may_be_undefined);
}

// False where one is false, whatever the other is.
Known logical_and(const Known& a, const Known& b) {
  const bool both = may_be_true(a) && may_be_true(b) && !is_nothing(a, b);
  return truth(both, may_be_false(a) || may_be_false(b), any_undefined(a, b));
}

Known logical_or(const Known& a, const Known& b) { return logical_not(logical_and(logical_not(a), logical_not(b))); }

Known is_null(const Known& a) { return truth(a.may_be_undefined, !is_empty(a), false); }

Known choose(const Known& condition, const Known& then, const Known& otherwise) {
  const bool may_hold = !is_empty(condition) && may_be_true(condition);
  const bool may_fail = is_empty(condition) || may_be_false(condition) || condition.may_be_undefined;
  if (may_hold && may_fail) {
    Known made = hull(then, otherwise);
    made.may_be_undefined = any_undefined(then, otherwise);
    return made;
  }
  return may_hold ? then : otherwise;
}

}  // namespace vernier::interval
