#pragma once

#include <span>

#include "vernier/accounting/loss/loss_part.hpp"

// The sum S of independent losses, seen through its cumulants. fourier/inversion.md has the proofs.
namespace vernier::accounting::fourier {

// ln E[e^(theta S)] of the finite losses, and its derivatives.
Cumulants total_cumulants(std::span<const LossPart> parts, double theta);

// The greatest finite sum, rounded up.
double greatest_total(std::span<const LossPart> parts);

// The chance that some loss is infinite, rounded outward.
Bounds infinite_mass(std::span<const LossPart> parts);

// A tilt that centres the law near where delta is read off. Every tilt gives valid bounds; a good one gives tight ones.
struct Tilt {
  double theta;
  double epsilon;  // about where the tilted law is centred
};
Tilt tilt_for_delta(std::span<const LossPart> parts, double delta);
Tilt tilt_for_epsilon(std::span<const LossPart> parts, double epsilon);

}  // namespace vernier::accounting::fourier
