#pragma once

#include <span>

#include "vernier/accounting/fourier/frequencies.hpp"
#include "vernier/accounting/fourier/tilt.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting::fourier {

// delta(epsilon) = E[(1 - e^(epsilon - S))+] of a summed finite loss S, from both sides: prepared once for a tilt, then
// a short sum for every epsilon. The bounds hold for every epsilon and are tight near the tilt's own. inversion.md has
// the proof.
class Inversion {
 public:
  // eta as in Sandwich. An error where the work would exceed `most_work`, in values of phi.
  static tl::expected<Inversion, TooMuchWork> prepare(const TotalLoss& total, const Tilt& tilt, double eta,
                                                      double most_work);

  // What the two kernels alone leave between the bounds, in epsilon.
  double kernel_gap() const { return (1 + theta_) * eta_ * eta_; }

  // How many terms a bound is the sum of.
  double terms() const { return static_cast<double>(terms_.frequencies.size()); }

  // What the preparation took, in values of phi.
  double work() const { return terms_.work; }

  // ln of the bounds of delta; the lower one is -infinity where nothing is proven.
  double log_upper(double epsilon) const;
  double log_lower(double epsilon) const;

 private:
  Inversion() = default;
  struct Sum {
    double value;
    double error;
  };
  Sum sum(double epsilon, const Coefficients& kernel) const;
  double log_scale(double epsilon) const { return total_.value - theta_ * epsilon; }
  double scale_error(double epsilon) const;
  double aliases(double epsilon) const;

  double theta_ = 0;
  double eta_ = 0;
  Cumulants total_{};
  Terms terms_;
  double greatest_ = 0;
  Period period_{};
};

}  // namespace vernier::accounting::fourier
