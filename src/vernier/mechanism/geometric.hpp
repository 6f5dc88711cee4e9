#pragma once

#include "vernier/noise/geometric.hpp"
#include "vernier/privacy/parameters.hpp"
#include "vernier/privacy/privacy_curve.hpp"

namespace vernier::mechanism {

// Two-sided geometric noise for one integer statistic.
class GeometricMechanism {
 public:
  // The least scale for a budget, rounded up. A delta above 0 is used: it takes less noise than the pure statement.
  static Result<GeometricMechanism> calibrate(privacy::Epsilon epsilon, privacy::Delta delta,
                                              privacy::IntegerSensitivity sensitivity);
  static Result<GeometricMechanism> at_scale(LaplaceScale scale, privacy::IntegerSensitivity sensitivity);

  const noise::Geometric& law() const { return law_; }
  privacy::IntegerSensitivity sensitivity() const { return sensitivity_; }
  privacy::PrivacyCurve curve() const;

 private:
  GeometricMechanism(const noise::Geometric& law, privacy::IntegerSensitivity sensitivity)
      : law_(law), sensitivity_(sensitivity) {}
  noise::Geometric law_;
  privacy::IntegerSensitivity sensitivity_;
};

// The privacy of two-sided geometric noise of any scale between 1e-7 and 1e30 for one integer statistic; geometric.md
// has the formulas and their errors.
struct GeometricCurve {
  double scale;
  double sensitivity;  // a whole number up to 2^53

  Bounds delta(privacy::Epsilon epsilon) const;
  Result<Bounds> epsilon(privacy::Delta delta) const;
};

}  // namespace vernier::mechanism
