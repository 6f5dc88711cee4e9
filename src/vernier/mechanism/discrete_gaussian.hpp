#pragma once

#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::mechanism {

// Discrete Gaussian noise for one integer statistic. Its privacy comes from its own sum, not from the continuous
// formula: at sigma 1, epsilon 1 its delta is 0.14135, the continuous one's 0.12694.
class DiscreteGaussianMechanism {
 public:
  // A sigma, rounded up, at which the budget certainly holds, and 1e-12 below which it certainly does not. delta is not
  // monotone in sigma: this one is meant to be the last such place, from which on every larger sigma satisfies the
  // budget too. That is proven from a formula's sigma on, and was observed between (discrete_gaussian.md).
  static Result<DiscreteGaussianMechanism> calibrate(privacy::Epsilon epsilon, privacy::Delta delta,
                                                     privacy::IntegerSensitivity sensitivity);
  static Result<DiscreteGaussianMechanism> at_scale(Sigma scale, privacy::IntegerSensitivity sensitivity);

  const noise::DiscreteGaussian& law() const { return law_; }
  privacy::IntegerSensitivity sensitivity() const { return sensitivity_; }
  privacy::PrivacyCurve curve() const;
  Bounds rho() const;  // zero-concentrated: sensitivity^2 / (2 sigma^2) (Canonne, Kamath and Steinke 2020)

 private:
  DiscreteGaussianMechanism(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity sensitivity)
      : law_(law), sensitivity_(sensitivity) {}
  noise::DiscreteGaussian law_;
  privacy::IntegerSensitivity sensitivity_;
};

}  // namespace vernier::mechanism
