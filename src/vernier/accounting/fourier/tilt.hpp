#pragma once

#include "vernier/accounting/fourier/total_loss.hpp"

namespace vernier::accounting::fourier {

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
