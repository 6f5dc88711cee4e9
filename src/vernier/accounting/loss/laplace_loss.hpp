#pragma once

#include "vernier/accounting/loss/two_sided_exponential.hpp"
#include "vernier/noise/laplace.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// The loss of Laplace noise: atoms at -c and c, c = sensitivity / scale, and a density between them that grows like
// e^(l/2). closed_forms.md has the proof of its errors.
class LaplaceLoss {
 public:
  LaplaceLoss(const noise::Laplace& law, privacy::L1Sensitivity sensitivity)
      : c_(numeric::split_quotient(sensitivity.value(), law.scale())) {}

  class Tilted {
   public:
    Tilted(const numeric::SplitQuotient& c, double theta);
    double centre() const { return tilt_.centre(); }
    double spread() const { return tilt_.spread(); }
    Frequency at(double t) const;
    double beyond(double t) const;  // falls to the mass of the two atoms

   private:
    double theta_;
    TwoSidedTilt tilt_;
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {c_, theta}; }
  double greatest() const;

 private:
  numeric::SplitQuotient c_;
};

}  // namespace vernier::accounting
