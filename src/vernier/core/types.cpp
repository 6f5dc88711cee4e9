#include "vernier/core/types.hpp"

#include <cmath>
#include <string>

#include "vernier/core/text.hpp"

namespace vernier {
namespace {

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

Result<LaplaceScale> LaplaceScale::of(double value) {
  return checked_scale(value).map([](double scale) { return LaplaceScale(scale); });
}

Result<Sigma> Sigma::of(double value) {
  return checked_scale(value).map([](double scale) { return Sigma(scale); });
}

}  // namespace vernier
