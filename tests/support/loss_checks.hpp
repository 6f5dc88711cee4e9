#pragma once

#include <cmath>

#include <gtest/gtest.h>

#include "support/exact_transform.hpp"
#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::test {

// K lies within its error, and the error is small; slope and curvature are right to 1e-6. The balls themselves are
// good for 1e-140 of a value, and for 1e-90 of a second difference.
inline void expect_cumulants(const accounting::LossLaw& law, const ExactTransform& exact, double theta,
                             double relative_error) {
  const accounting::Cumulants found = law.cumulants(theta);
  const ExactCumulants truth(exact, theta);
  EXPECT_LE((truth.value - found.value).size(), found.error + 1e-140) << "theta " << theta;
  EXPECT_LE(found.error, relative_error * found.value + 1e-200) << "theta " << theta;
  EXPECT_NEAR(found.slope, truth.slope, 1e-6 * std::abs(truth.slope) + 1e-150) << "theta " << theta;
  EXPECT_NEAR(found.curvature, truth.curvature, 1e-6 * truth.curvature + 1e-90) << "theta " << theta;
}

// phi(t) lies within its error, the error is a few units and what t costs, and `beyond` is no less than its size.
inline void expect_phi(accounting::TiltedLoss& tilted, const ExactTransform& exact, double theta, double t,
                       double constant_error) {
  const accounting::Frequency found = tilted.at(t);
  const ComplexBall truth = exact_phi(exact, theta, t, tilted.centre());
  const ComplexBall value(found.value.real(), found.value.imag());
  EXPECT_LE((truth - value).size(), found.error) << "theta " << theta << " t " << t;
  EXPECT_LE(found.error, std::min(1.0, constant_error + 4e-15 * t * tilted.spread()))
      << "theta " << theta << " t " << t;
  EXPECT_LE(std::abs(truth.nearest()), tilted.beyond(t) * (1 + 1e-15)) << "theta " << theta << " t " << t;
  EXPECT_LE(tilted.beyond(t), 1);
}

}  // namespace vernier::test
