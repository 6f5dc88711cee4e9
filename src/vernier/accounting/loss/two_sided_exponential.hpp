#pragma once

#include <complex>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/split_quotient.hpp"

// What the losses of Laplace and of two-sided geometric noise have in common. With c = sensitivity / scale and
// w = theta + 1/2 both have
//     E[e^(theta L)] = e^(-c/2) (cosh(wc) + kappa(w) sinh(wc)),
// kappa = 1/(2w) for Laplace noise, tanh(a/2) coth(aw) with a = 1 / scale for geometric noise. The losses lie in
// [-c, c] with atoms at both ends, and kappa tells of what lies between them. closed_forms.md has the proofs.
namespace vernier::accounting {

// kappa at one real w, and kappa(w) sinh(wc) = height bow(w) sinh(wc)/(wc), which has no pole at w = 0.
struct Interior {
  double share, missing;           // kappa, 1 - kappa: 25 units
  double share_slope, share_bend;  // derivatives in w: 1e-13
  double height;                   // 12 units
  double bow, bow_rise;            // bow(w), bow(w) - bow(1/2): 24 units
  double bow_slope, bow_bend;      // derivatives in w: 1e-8
};

Cumulants two_sided_cumulants(double c, double theta, const Interior& interior);

// The tilted law, but for kappa at complex w, which the caller knows.
class TwoSidedTilt {
 public:
  // share_units: what an error of kappa costs in the denominator, in units of 2^-53.
  TwoSidedTilt(const numeric::SplitQuotient& c, double theta, const Interior& interior, double share_units);

  double centre() const { return centre_; }
  double spread() const { return spread_; }
  // phi(t), given kappa(w + it) with a relative error of at most kappa_units * 2^-53.
  Frequency at(double t, const std::complex<double>& kappa, double kappa_units) const;
  // At least abs(phi(t)), where abs(1 + kappa) <= upper and abs(1 - kappa) <= lower.
  double at_most(double upper, double lower) const;

 private:
  double centre_, spread_;
  double upper_, lower_;   // the two ends, from the centre
  double odds_;            // e^(-2wc), of the lower end
  double inverse_;         // 1 / (1 + kappa + odds (1 - kappa))
  double reach_;           // what t costs, in 4 units
  double constant_units_;  // what forming the denominator costs
};

}  // namespace vernier::accounting
