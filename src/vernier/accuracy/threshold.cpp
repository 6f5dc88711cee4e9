#include "vernier/accuracy/threshold.hpp"

#include <cmath>

#include "vernier/numeric/roundoff.hpp"

namespace vernier::accuracy {

using numeric::Ball;
using numeric::Precision;

namespace {

constexpr double least_plain = 1e-304;

// -expm1(log1p(-alpha) / cells). Units of error: 4 of log1p, 1 of the quotient, 4 of expm1; a negative exponent's
// relative error does not grow.
Bounds quick_bounds(double alpha, std::int64_t cells) {
  return numeric::within_units(-std::expm1(std::log1p(-alpha) / static_cast<double>(cells)), 9);
}

}  // namespace

Threshold::Threshold(Alpha alpha, Cells cells) : alpha_(alpha), cells_(cells), bounds_{alpha.value(), alpha.value()} {
  if (cells.value() == 1) return;
  bounds_ = quick_bounds(alpha.value(), cells.value());
  if (bounds_.lower < least_plain) bounds_ = ball({128}).bounds();
}

Ball Threshold::ball(Precision precision) const {
  const Ball alpha = Ball::of(alpha_.value(), precision);
  if (cells_.value() == 1) return alpha;
  return -expm1(log1p(-alpha) / Ball::of(cells_.value(), precision));
}

}  // namespace vernier::accuracy
