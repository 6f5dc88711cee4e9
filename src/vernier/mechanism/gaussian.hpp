#pragma once

#include <cstdint>

#include "vernier/noise/gaussian.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::mechanism {

// How a Gaussian scale is found for a budget.
enum class GaussianCalibration : std::uint8_t {
  analytic,    // the least sigma that is private: Balle and Wang 2018, Theorem 8
  classical,   // sqrt(2 ln(1.25 / delta)) sensitivity / epsilon; proven for epsilon < 1 only, and refused beyond
  dwork_roth,  // the tighter constant of Dwork and Roth 2014, p. 264; refused beyond as well
};

// Gaussian noise for a statistic of bounded L2 sensitivity.
class GaussianMechanism {
 public:
  // The scale for a budget, rounded up: privacy is never rounded away.
  static Result<GaussianMechanism> calibrate(privacy::Epsilon epsilon, privacy::Delta delta,
                                             privacy::L2Sensitivity sensitivity,
                                             GaussianCalibration calibration = GaussianCalibration::analytic);
  static GaussianMechanism at_scale(Sigma scale, privacy::L2Sensitivity sensitivity);

  const noise::Gaussian& law() const { return law_; }  // every statement on error follows from this
  privacy::L2Sensitivity sensitivity() const { return sensitivity_; }
  privacy::PrivacyCurve curve() const;  // every statement on privacy follows from this
  Bounds rho() const;                   // zero-concentrated: sensitivity^2 / (2 sigma^2)

 private:
  GaussianMechanism(const noise::Gaussian& law, privacy::L2Sensitivity sensitivity)
      : law_(law), sensitivity_(sensitivity) {}
  noise::Gaussian law_;
  privacy::L2Sensitivity sensitivity_;
};

}  // namespace vernier::mechanism
