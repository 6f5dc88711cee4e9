#pragma once

#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::mechanism {

// The privacy curve of Gaussian noise, certified from both sides; gaussian.md has the proof.
class GaussianCurve {
 public:
  GaussianCurve(Sigma sigma, privacy::L2Sensitivity sensitivity)
      : sigma_(sigma.value()), sensitivity_(sensitivity.value()) {}

  Bounds delta(privacy::Epsilon epsilon) const;
  // 0 where delta at epsilon 0 is small enough already; an error for delta 0, and for an epsilon beyond all doubles.
  Result<Bounds> epsilon(privacy::Delta delta) const;

 private:
  double sigma_;
  double sensitivity_;
};

}  // namespace vernier::mechanism
