#pragma once

#include <cmath>

// Sums and products of two doubles without their rounding error: hi is the rounded result, lo what rounding took away.
// (Dekker 1971; Knuth, The Art of Computer Programming 2, 4.2.2.) Exact in IEEE arithmetic rounded to nearest, as long
// as nothing overflows and lo does not underflow.
namespace vernier::numeric {

// hi + lo, with hi the double nearest to it.
struct DoubleDouble {
  double hi;
  double lo;
};

// a + b, exactly.
inline DoubleDouble two_sum(double a, double b) {
  const double hi = a + b;
  const double b_taken = hi - a;
  return {hi, (a - (hi - b_taken)) + (b - b_taken)};
}

// a + b, exactly, where abs(a) >= abs(b) or a is 0.
inline DoubleDouble quick_two_sum(double a, double b) {
  const double hi = a + b;
  return {hi, b - (hi - a)};
}

// a b, exactly.
inline DoubleDouble two_product(double a, double b) {
  const double hi = a * b;
  return {hi, std::fma(a, b, -hi)};
}

// With u = 2^-53: the product has a relative error of at most 4 u^2, the quotient of at most 16 u^2, the sum with a
// double an absolute error of at most 2 u^2 (abs(a) + abs(b)).
inline constexpr double quotient_error = 0x1p-102;

inline DoubleDouble product(const DoubleDouble& a, double b) {
  const DoubleDouble high = two_product(a.hi, b);
  return quick_two_sum(high.hi, std::fma(a.lo, b, high.lo));
}

inline DoubleDouble sum(const DoubleDouble& a, double b) {
  const DoubleDouble high = two_sum(a.hi, b);
  return quick_two_sum(high.hi, high.lo + a.lo);
}

// a / b = q + (a - q b) / b, and the remainder a - q b is known to 8 u^2 abs(a).
inline DoubleDouble quotient(const DoubleDouble& a, const DoubleDouble& b) {
  const double q = a.hi / b.hi;
  const double remainder = (std::fma(-q, b.hi, a.hi) + a.lo) - q * b.lo;
  return quick_two_sum(q, remainder / b.hi);
}

}  // namespace vernier::numeric
