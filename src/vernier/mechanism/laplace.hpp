#pragma once

#include "vernier/noise/laplace.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::mechanism {

// Laplace noise for a statistic of bounded L1 sensitivity.
class LaplaceMechanism {
 public:
  // The least scale for a budget, rounded up. A delta above 0 is used: it takes less noise than the pure statement.
  static Result<LaplaceMechanism> calibrate(privacy::Epsilon epsilon, privacy::Delta delta,
                                            privacy::L1Sensitivity sensitivity);
  static LaplaceMechanism at_scale(LaplaceScale scale, privacy::L1Sensitivity sensitivity);

  const noise::Laplace& law() const { return law_; }
  privacy::L1Sensitivity sensitivity() const { return sensitivity_; }
  privacy::PrivacyCurve curve() const;

 private:
  LaplaceMechanism(const noise::Laplace& law, privacy::L1Sensitivity sensitivity)
      : law_(law), sensitivity_(sensitivity) {}
  noise::Laplace law_;
  privacy::L1Sensitivity sensitivity_;
};

}  // namespace vernier::mechanism
