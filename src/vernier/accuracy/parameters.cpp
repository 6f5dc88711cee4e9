#include "vernier/accuracy/parameters.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accuracy {
namespace {

constexpr double greatest_accuracy = 1e15;
constexpr std::int64_t greatest_cells = 1'000'000'000;

}  // namespace

Result<void> Cells::check(std::int64_t value) {
  if (value >= 1 && value <= greatest_cells) return {};
  return invalid(
      "the number of cells",
      "must be a whole number from 1 to " + std::to_string(greatest_cells) + ", but it is " + std::to_string(value),
      {});
}

Result<void> Accuracy::check(double value) {
  if (value >= 0 && value <= greatest_accuracy) return {};
  return invalid("the accuracy",
                 "must be a number between 0 and " + shortest(greatest_accuracy) + ", but it is " + shortest(value),
                 {});
}

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
