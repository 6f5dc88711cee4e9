#pragma once

#include <vector>

#include "vernier/accounting/cells/discrete_loss.hpp"
#include "vernier/accounting/event.hpp"
#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::accounting::cells {

// A piece of what a release can show, seen under Q, the noise where the unit is not; r = dP/dQ.
struct Cell {
  double first;  // ln r at its ends, each within 4 units of 2^-53, relatively
  double last;
  double log_mass;  // ln of its chance under Q, within log_error
  double log_error;
  Bounds share = {0, 0};  // of E_Q[(r - r_first) / (r_last - r_first)] in it
};

// Everything that a release can show, by rising r; the pair is its own mirror image.
struct Outcomes {
  std::vector<Cell> cells;
  double tail = 0;     // at least the chance, under Q, of what is left out below, and under P above
  double failure = 0;  // of what P alone shows; as much is shown by Q alone
};

// With the parameters rounded towards more privacy loss (upper) or less (lower), cut finely; tails of at most about
// `least` may be left out. No cells where the release is not cut: too many losses, or one of no pair.
Outcomes outcomes_of(const mechanism::GaussianMechanism& release, End end, double least);
Outcomes outcomes_of(const mechanism::LaplaceMechanism& release, End end, double least);
Outcomes outcomes_of(const mechanism::GeometricMechanism& release, End end, double least);
Outcomes outcomes_of(const mechanism::DiscreteGaussianMechanism& release, End end, double least);
Outcomes outcomes_of(const PureStatement& release, End end, double least);
Outcomes outcomes_of(const ApproximateStatement& release, End end, double least);
Outcomes outcomes_of(const Choice& release, End end, double least);

// Gaussian noise of this mu.
Outcomes gaussian_outcomes(double mu, double least);

// The loss on a Poisson sample of the rate.
DiscreteLoss loss_of(const Outcomes& outcomes, double rate, Direction direction, End end);

}  // namespace vernier::accounting::cells
