#include "vernier/mechanism/discrete_gaussian.hpp"

#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::mechanism {
namespace {

struct Curve {
  double scale;
  privacy::IntegerSensitivity sensitivity;

  Bounds delta(privacy::Epsilon epsilon) const {
    return delta_at({scale, static_cast<double>(sensitivity.value()), epsilon.value()});
  }
  Result<Bounds> epsilon(privacy::Delta delta) const {
    if (delta.is_pure()) {
      return invalid("delta is 0, but discrete Gaussian noise satisfies no finite epsilon with it",
                     "write a delta above 0");
    }
    return least_discrete_gaussian_epsilon(scale, sensitivity, delta.value());
  }
};

}  // namespace

Result<DiscreteGaussianMechanism> DiscreteGaussianMechanism::calibrate(privacy::Epsilon epsilon, privacy::Delta delta,
                                                                       privacy::IntegerSensitivity sensitivity) {
  if (delta.is_pure()) {
    return invalid("delta is 0, but discrete Gaussian noise is never purely private",
                   "write a delta above 0, or take the geometric "
                   "mechanism");
  }
  return least_discrete_gaussian_scale(epsilon, delta, sensitivity).and_then([&](double scale) {
    return at_scale(*Sigma::of(scale), sensitivity);
  });
}

Result<DiscreteGaussianMechanism> DiscreteGaussianMechanism::at_scale(Sigma scale,
                                                                      privacy::IntegerSensitivity sensitivity) {
  return noise::DiscreteGaussian::of(scale).map(
      [&](const noise::DiscreteGaussian& law) { return DiscreteGaussianMechanism(law, sensitivity); });
}

privacy::PrivacyCurve DiscreteGaussianMechanism::curve() const {
  return privacy::PrivacyCurve(Curve{law_.scale(), sensitivity_});
}

Bounds DiscreteGaussianMechanism::rho() const {
  constexpr numeric::Precision precision{128};
  const numeric::Ball ratio =
      numeric::Ball::of(sensitivity_.value(), precision) / numeric::Ball::of(law_.scale(), precision);
  return times_power_of_two(power(ratio, 2), -1).bounds();
}

}  // namespace vernier::mechanism
