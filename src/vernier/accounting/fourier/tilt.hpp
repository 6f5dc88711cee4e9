#pragma once

#include "vernier/accounting/fourier/total_loss.hpp"

namespace vernier::accounting::fourier {

// A period of the inversion, such that what lies a period away on either side weighs little at the epsilon it was made
// for, and the second tilt lambda by which Chernoff bounds the mass above. inversion.md, 3.
struct Period {
  double length;
  double lambda;  // 0 where the law ends before a period above
  Cumulants far;  // at theta + lambda
  double below;   // what the mass below alone would need
};

Period period_for(const TotalLoss& total, double theta, double epsilon, double log_negligible);

// ln of the tilted mass beyond epsilon + period and multiples of the period further on, at most.
double log_mass_above(const Cumulants& here, const Period& period, double epsilon);

// ln of the same for untilted mass, of which there is no more than 1, a period and more below.
double log_mass_below(const Cumulants& here, const Period& period, double theta, double epsilon);

// A tilt that centres the law near where delta is read off. Every tilt gives valid bounds; a good one gives tight ones
// quickly. inversion.md, 1.
struct Tilt {
  double theta;
  double epsilon;    // about where delta is read off
  double log_delta;  // about ln delta there; what is negligible is measured against it
  bool is_saddle;    // else epsilon is a rough guess
};

Tilt tilt_for_delta(const TotalLoss& total, double delta);
Tilt tilt_for_epsilon(const TotalLoss& total, double epsilon);

}  // namespace vernier::accounting::fourier
