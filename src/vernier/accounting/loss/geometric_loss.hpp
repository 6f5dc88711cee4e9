#pragma once

#include "vernier/accounting/loss/two_sided_exponential.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// The loss of two-sided geometric noise on an integer statistic of sensitivity D: -Da, -(D-2)a, ..., Da, a = 1 / scale,
// in time that does not grow with D. At D = 1 it is TwoPointLoss, which is quicker. closed_forms.md has the proof of
// its errors.
class GeometricLoss {
 public:
  GeometricLoss(const noise::Geometric& law, privacy::IntegerSensitivity sensitivity)
      : a_(1 / law.scale()),
        c_(numeric::split_quotient(static_cast<double>(sensitivity.value()), law.scale())),
        sensitivity_(static_cast<double>(sensitivity.value())) {}

  class Tilted {
   public:
    Tilted(const GeometricLoss& loss, double theta, const Interior& interior);
    double centre() const { return tilt_.centre(); }
    double spread() const { return tilt_.spread(); }
    Frequency at(double t) const;
    double beyond(double) const { return 1; }  // a lattice law: phi comes back to 1

   private:
    double a_;
    double tanh_half_, tanh_, sech2_;  // tanh(a/2); tanh(aw), 1 / cosh(aw)^2
    TwoSidedTilt tilt_;
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {*this, theta, interior_at(theta)}; }
  double greatest() const;

 private:
  Interior interior_at(double theta) const;
  double a_;  // rounded
  numeric::SplitQuotient c_;
  double sensitivity_;
};

}  // namespace vernier::accounting
