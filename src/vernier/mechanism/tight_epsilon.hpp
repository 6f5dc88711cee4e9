#pragma once

#include <algorithm>

#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/split_quotient.hpp"

// The least epsilon of a pure mechanism at a delta is the larger of 0 and a quotient plus a logarithm. The two may
// cancel; then balls give the digits.
namespace vernier::mechanism {

// quotient + term, where the term is wrong by at most `error`.
inline Bounds plus(const numeric::SplitQuotient& quotient, double term, double error) {
  const double sum = (quotient.head + term) + quotient.rest;
  const double width = error + 4 * numeric::unit_roundoff * (std::abs(sum) + error);
  return {sum - width, sum + width};
}

// The bounds of epsilon from those of the sum: below 0 it is 0.
inline Bounds not_below_zero(Bounds sum) { return {std::max(sum.lower, 0.0), std::max(sum.upper, 0.0)}; }

// Within half of what a privacy curve promises, or certainly 0. NaN is not.
inline bool is_tight(Bounds sum) {
  constexpr double widest = 5e-13;
  return sum.upper <= 0 || (sum.lower > 0 && sum.upper - sum.lower <= widest * sum.lower);
}

// The bounds from doubles if they are tight, else from balls: fine(precision) gives the bounds of the same sum. With
// 4096 bits they are taken as they are: still certified.
template <class Fine>
Bounds tight_epsilon(Bounds quick, const Fine& fine) {
  if (is_tight(quick)) return not_below_zero(quick);
  Bounds sum = fine(numeric::Precision{128});
  for (long bits = 256; bits <= 4096 && !is_tight(sum); bits *= 2) sum = fine(numeric::Precision{bits});
  return not_below_zero(sum);
}

}  // namespace vernier::mechanism
