#pragma once

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/numeric/split_quotient.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// The loss of randomised response: epsilon or -epsilon, with odds e^epsilon : 1. It is the worst of all releases that
// are epsilon-private (Kairouz, Oh and Viswanath 2015), and the loss of geometric noise on a statistic of sensitivity
// 1, where epsilon = 1 / scale. closed_forms.md has the proof of its errors.
class TwoPointLoss {
 public:
  static TwoPointLoss of(privacy::Epsilon epsilon) { return TwoPointLoss({epsilon.value(), 0}); }
  static TwoPointLoss of(const noise::Geometric& law) { return TwoPointLoss(numeric::split_quotient(1, law.scale())); }

  class Tilted {
   public:
    Tilted(const numeric::SplitQuotient& epsilon, double theta);
    double centre() const { return centre_; }
    double spread() const;
    Frequency at(double t) const;
    double beyond(double) const { return 1; }  // a lattice law: phi comes back to 1

   private:
    double centre_;
    double upper_, lower_;            // the two losses, from the centre
    double upper_mass_, lower_mass_;  // their chances
    double reach_;                    // the mean distance from the centre, up to rounding
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {epsilon_, theta}; }
  double greatest() const;

 private:
  explicit TwoPointLoss(const numeric::SplitQuotient& epsilon) : epsilon_(epsilon) {}
  numeric::SplitQuotient epsilon_;
};

}  // namespace vernier::accounting
