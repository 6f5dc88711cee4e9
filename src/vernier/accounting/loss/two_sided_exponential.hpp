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
  double share_slope, share_bend;  // derivatives in w: 5e-13
  double height;                   // 12 units
  double bow, bow_rise;            // bow(w), bow(w) - bow(1/2): 24 units
  double bow_slope, bow_bend;      // derivatives in w: 1e-8
};

Cumulants two_sided_cumulants(double c, double theta, const Interior& interior);

// How well a caller knows kappa, in units of 2^-53.
struct KappaUnits {
  double real;     // kappa(w), relatively
  double complex;  // kappa(w + it), relatively, but for the rounding of t
  double per_t;    // what the rounding of t in kappa costs phi(t), over t
};

// The tilted law, but for kappa at complex w, which the caller knows.
class TwoSidedTilt {
 public:
  TwoSidedTilt(const numeric::SplitQuotient& c, double theta, const Interior& interior, const KappaUnits& units);

  double centre() const { return centre_; }
  double spread() const { return spread_; }
  // phi(t), given kappa(w + it).
  Frequency at(double t, const std::complex<double>& kappa) const;
  // At least abs(phi(t)), where abs(1 + kappa) <= upper and abs(1 - kappa) <= lower.
  double at_most(double upper, double lower) const;

 private:
  double centre_, spread_;
  double upper_, lower_;   // the two ends, from the centre
  double odds_;            // e^(-2wc), of the lower end
  double inverse_;         // 1 / (1 + kappa + odds (1 - kappa))
  double kappa_units_;     // what an error of kappa costs
  double constant_units_;  // what forming the denominator costs
  double units_per_t_;
};

}  // namespace vernier::accounting
