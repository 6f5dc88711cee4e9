#pragma once

#include <cmath>

namespace vernier::numeric {

// a / b as head + rest: head is the quotient rounded to nearest, rest what the rounding left. Their sum is within
// 2^-105 of a / b relatively. For b > 0 and a >= 0 while a, b and a / b are 0 or between 1e-250 and 1e250;
// split_quotient.md has the proof.
struct SplitQuotient {
  double head;
  double rest;
};

inline SplitQuotient split_quotient(double a, double b) {
  const double head = a / b;
  return {head, std::fma(-head, b, a) / b};  // the fma is exact: the remainder of a division is a double
}

// x - a / b with a relative error of at most 3 * 2^-53, even where the two agree in all of their digits; its sign is
// right, and it is 0 only where x = a / b exactly.
inline double minus_quotient(double x, double a, double b) {
  const SplitQuotient quotient = split_quotient(a, b);
  return (x - quotient.head) - quotient.rest;
}

}  // namespace vernier::numeric
