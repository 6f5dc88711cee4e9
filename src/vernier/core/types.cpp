#include "vernier/core/types.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"

namespace vernier {
namespace {

constexpr double least_alpha = 1e-300, greatest_alpha = 0.999;

}  // namespace

Result<void> check_scale(double value) {
  if (value >= least_scale && value <= greatest_scale) return {};  // refuses NaN too
  return invalid("the scale",
                 "must be a positive number between " + shortest(least_scale) + " and " + shortest(greatest_scale) +
                     ", but it is " + shortest(value),
                 {});
}

Result<void> Real::check(double value) {
  if (std::isfinite(value)) return {};
  return invalid("a finite number is needed, but the value is " + shortest(value));
}

Result<void> Probability::check(double value) {
  if (value >= 0 && value <= 1) return {};
  return invalid("a probability", "must lie between 0 and 1, but it is " + shortest(value), {});
}

// The comparisons refuse NaN as well. The decimal 1e-300, rounded down, may be the double before it, and still counts.
Result<void> Alpha::check(double value) {
  if (value >= std::nextafter(least_alpha, 0) && value <= greatest_alpha) return {};
  return invalid(parameter("alpha"),
                 "must be a number between " + shortest(least_alpha) + " and " + shortest(greatest_alpha) +
                     ", but it is " + shortest(value),
                 {});
}

}  // namespace vernier
