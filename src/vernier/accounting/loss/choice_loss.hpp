#pragma once

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::accounting {

// A loss that is worse than that of every choice of this epsilon (the exponential mechanism, whose losses have a range
// of epsilon): the density e^(l/2) / (4 sinh(epsilon/2)) on [-epsilon, epsilon]. choice_loss.md has the proofs.
class ChoiceLoss {
 public:
  explicit ChoiceLoss(privacy::Epsilon epsilon) : epsilon_(epsilon.value()) {}

  class Tilted {
   public:
    Tilted(double epsilon, double theta);
    double centre() const { return centre_; }
    double spread() const { return spread_; }
    Frequency at(double t) const;
    double beyond(double t) const;

   private:
    double epsilon_;
    double w_;  // theta + 1/2: the tilted density grows like e^(w l)
    double centre_, spread_;
    double upper_, lower_;  // the two ends, from the centre
    double odds_;           // e^(-2 w epsilon), of the lower end
    double rise_;           // 1 - odds
    double size_;           // sinh(w epsilon) / (w epsilon), where that is needed
  };

  Cumulants cumulants(double theta) const;
  Tilted tilted(double theta) const { return {epsilon_, theta}; }
  double greatest() const { return epsilon_; }

 private:
  double epsilon_;
};

// The Rényi divergence of this order, above 1, of every choice of this epsilon: at most this.
double choice_divergence(privacy::Epsilon epsilon, double order);

}  // namespace vernier::accounting
