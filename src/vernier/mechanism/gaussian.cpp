#include "vernier/mechanism/gaussian.hpp"

#include <string>

#include "vernier/core/text.hpp"
#include "vernier/mechanism/gaussian_curve.hpp"

namespace vernier::mechanism {

using privacy::Delta;
using privacy::Epsilon;
using privacy::L2Sensitivity;

namespace {

Failure too_large_an_epsilon(const char* calibration, double epsilon) {
  return invalid("epsilon is " + shortest(epsilon) + ", but the " + calibration +
                     " calibration of Gaussian noise is proven for epsilon below 1 only",
                 "use the analytic one, which holds for "
                 "every epsilon and needs less noise");
}

Result<Sigma> sigma_for(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity, GaussianCalibration calibration) {
  const bool within_proof = epsilon.value() < 1;
  switch (calibration) {
    case GaussianCalibration::classical:
      if (!within_proof) return too_large_an_epsilon("classical", epsilon.value());
      return classical_sigma(epsilon, delta, sensitivity);
    case GaussianCalibration::dwork_roth:
      if (!within_proof) return too_large_an_epsilon("dwork-roth", epsilon.value());
      return dwork_roth_sigma(epsilon, delta, sensitivity);
    case GaussianCalibration::analytic:
      break;
  }
  return analytic_sigma(epsilon, delta, sensitivity);
}

}  // namespace

Result<GaussianMechanism> GaussianMechanism::calibrate(Epsilon epsilon, Delta delta, L2Sensitivity sensitivity,
                                                       GaussianCalibration calibration) {
  if (delta.is_pure()) {
    return invalid("delta is 0, but Gaussian noise is not private at delta 0, whatever its scale",
                   "give a delta above 0, such as "
                   "1e-6, or use laplace or geometric noise");
  }
  return sigma_for(epsilon, delta, sensitivity, calibration).map([&](Sigma sigma) {
    return at_scale(sigma, sensitivity);
  });
}

GaussianMechanism GaussianMechanism::at_scale(Sigma scale, L2Sensitivity sensitivity) {
  return GaussianMechanism(noise::Gaussian::of(scale), sensitivity);
}

privacy::PrivacyCurve GaussianMechanism::curve() const {
  return privacy::PrivacyCurve(GaussianCurve(*Sigma::of(law_.scale()), sensitivity_));
}

Bounds GaussianMechanism::rho() const {
  using numeric::Ball;
  constexpr numeric::Precision precision{128};
  const Ball ratio = Ball::of(sensitivity_.value(), precision) / Ball::of(law_.scale(), precision);
  return times_power_of_two(power(ratio, 2), -1).bounds();
}

}  // namespace vernier::mechanism
