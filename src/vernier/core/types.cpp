#include "vernier/core/types.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"

namespace vernier {
namespace {

constexpr double least_alpha = 1e-300, greatest_alpha = 0.999;

Result<double> checked_scale(double value) {
  if (value >= least_scale && value <= greatest_scale) return value;  // refuses NaN too
  return invalid("the scale must be a positive number between " + shortest(least_scale) + " and " +
                 shortest(greatest_scale) + ", but it is " + shortest(value));
}

}  // namespace

Result<Real> Real::of(double value) {
  if (std::isfinite(value)) return Real(value);
  return invalid("a finite number is needed, but the value is " + shortest(value));
}

Result<Probability> Probability::of(double value) {
  if (value >= 0 && value <= 1) return Probability(value);
  return invalid("a probability must lie between 0 and 1, but it is " + shortest(value));
}

// The comparisons refuse NaN as well. The decimal 1e-300, rounded down, may be the double before it, and still counts.
Result<Alpha> Alpha::of(double value) {
  if (value >= std::nextafter(least_alpha, 0) && value <= greatest_alpha) return Alpha(value);
  return invalid("alpha must be a number between " + shortest(least_alpha) + " and " + shortest(greatest_alpha) +
                 ", but it is " + shortest(value));
}

Result<LaplaceScale> LaplaceScale::of(double value) {
  return checked_scale(value).map([](double scale) { return LaplaceScale(scale); });
}

Result<Sigma> Sigma::of(double value) {
  return checked_scale(value).map([](double scale) { return Sigma(scale); });
}

}  // namespace vernier
