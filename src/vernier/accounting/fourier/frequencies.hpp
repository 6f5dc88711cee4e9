#pragma once

#include <complex>
#include <optional>
#include <span>
#include <vector>

#include "vernier/accounting/fourier/sandwich.hpp"
#include "vernier/accounting/loss/loss_part.hpp"

namespace vernier::accounting::fourier {

// One term of the inversion sum that carries weight: psi(t) of the whole composition times both kernels.
struct Term {
  double t;
  std::complex<double> above;
  std::complex<double> below;
  double size;   // at least abs of either
  double error;  // each is off by at most this
};

// The terms t = 0, step, 2 step, ... that carry weight.
struct Terms {
  std::vector<Term> kept;
  double left_out;  // at least the sum of step / pi times abs of all the others
  double centre;    // of the summed loss, as hi + lo
  double centre_rest;
};

// Terms whose sizes certainly add up to no more than `tolerance` are left out, most of them unseen: phi cannot grow
// faster than its Lipschitz constant. None where values of phi that cost more than `most_work` would be needed.
std::optional<Terms> significant_terms(std::span<const LossPart> parts, double theta, const Sandwich& sandwich,
                                       double step, double tolerance, double most_work);

}  // namespace vernier::accounting::fourier
