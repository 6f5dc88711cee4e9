#pragma once

#include "vernier/interval/statement.hpp"

// Interval arithmetic: what is known of f(x, y) where x and y lie in their intervals. Ends are rounded outwards, each
// correctly; arithmetic.md has the proof. A truth is 1 or 0.
namespace vernier::interval {

// What is known of a number: it lies between the ends, which may be infinite, or it is not defined.
struct Known {
  double low;
  double high;
  bool is_whole = false;          // it is a whole number, where it is defined
  bool may_be_undefined = false;  // as a quotient by zero is

  friend bool operator==(const Known&, const Known&) = default;
};

Known exactly(double value);
Known nothing_but_undefined();  // of NULL
Known hull(const Known& a, const Known& b);

Known add(const Known& a, const Known& b);
Known subtract(const Known& a, const Known& b);
Known multiply(const Known& a, const Known& b);
// Not defined where b is 0. A whole divisor that is not 0 is 1 or more in size, so that the quotient keeps its ends.
Known divide(const Known& a, const Known& b);
Known divide_truncated(const Known& a, const Known& b);
Known negate(const Known& a);
Known absolute(const Known& a);
Known floor(const Known& a);
Known ceil(const Known& a);
Known truncate(const Known& a);
Known round(const Known& a, int digits);  // halves away from zero; digits from -15 to 15
double rounded_at(double value, int digits);
Known square_root(const Known& a);  // not defined below 0
Known exponential(const Known& a);
Known logarithm(const Known& a);  // not defined at 0 and below
Known logarithm(const Known& a, double base);
Known power(const Known& a, double exponent);
Known least(const Known& a, const Known& b);
Known greatest(const Known& a, const Known& b);
Known coalesce(const Known& a, const Known& b);
Known null_if(const Known& a, const Known& b);

// Comparisons, and the three-valued logic of SQL.
Known equal(const Known& a, const Known& b);
Known less(const Known& a, const Known& b);
Known less_equal(const Known& a, const Known& b);
Known logical_not(const Known& a);
Known logical_and(const Known& a, const Known& b);
Known logical_or(const Known& a, const Known& b);
Known is_null(const Known& a);
Known choose(const Known& condition, const Known& then, const Known& otherwise);

}  // namespace vernier::interval
