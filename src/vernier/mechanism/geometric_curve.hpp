#pragma once

#include "vernier/privacy/parameters.hpp"

namespace vernier::mechanism {

// The privacy of two-sided geometric noise of any scale between 1e-7 and 1e30 for one integer statistic; geometric.md
// has the formulas and their errors.
struct GeometricCurve {
  double scale;
  double sensitivity;  // a whole number up to 2^53

  Bounds delta(privacy::Epsilon epsilon) const;
  Result<Bounds> epsilon(privacy::Delta delta) const;
};

}  // namespace vernier::mechanism
