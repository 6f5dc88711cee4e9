#pragma once

#include <span>
#include <vector>

#include <tl/expected.hpp>

#include "vernier/accounting/fourier/sandwich.hpp"
#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/double_double.hpp"

namespace vernier::accounting::fourier {

// The coefficients of one kernel: psi(t) of the whole composition times the kernel's transform, twice for t > 0, where
// the term at -t counts as well.
struct Coefficients {
  std::vector<double> cosines;  // the real parts
  std::vector<double> sines;    // the imaginary ones
};

// The terms t = 0, step, 2 step, ... that carry weight.
struct Terms {
  std::vector<double> frequencies;
  Coefficients above;
  Coefficients below;
  double size = 0;                        // at least the sum of all coefficients' sizes, of either kernel
  double moment = 0;                      // the same with each times its t
  double error = 0;                       // at least the sum of all coefficients' errors
  double left_out = 0;                    // at least step / pi times the sum of the sizes of all other terms
  numeric::DoubleDouble centre = {0, 0};  // about which psi was taken
  double centre_error = 0;
  double work = 0;  // that they took, in values of phi
};

// The work did not suffice: it reached this share of the frequencies, from 0 to 1.
struct TooMuchWork {
  double reached;
};

// Terms whose sizes certainly add up to no more than `tolerance` are left out, most of them unseen: phi cannot grow
// faster than its Lipschitz constant. An error where values of phi that cost more than `most_work` would be needed.
tl::expected<Terms, TooMuchWork> significant_terms(std::span<const LossPart> parts, double theta,
                                                   const Sandwich& sandwich, double step, double tolerance,
                                                   double most_work);

}  // namespace vernier::accounting::fourier
