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

}  // namespace vernier::accounting::fourier
