#pragma once

#include <span>

#include "vernier/core/types.hpp"

// Zero-concentrated privacy (Bun and Steinke 2016): at every order a > 1 the Rényi divergence is at most a rho, so rhos
// add. A delta that was spent beside rho (approximate zCDP) adds to the delta of the conversion. zcdp.md has the
// proofs.
namespace vernier::accounting {

// So many releases of this rho each.
struct ZcdpPart {
  double rho;
  double times = 1;
};
double sum_of_rhos(std::span<const ZcdpPart> parts);  // rounded up

double rho_of_pure(double epsilon);  // epsilon^2 / 2, rounded up: Bun and Steinke 2016, Proposition 3.3
double rho_of_gaussian(double mu);  // mu^2 / 2 for a sensitivity of mu standard deviations, rounded up: Proposition 1.6

// The least delta that the tight conversion gives over all orders (Canonne, Kamath and Steinke 2020), rounded up. rho
// above 0, epsilon from 0 on.
double zcdp_delta(double rho, double epsilon, double spent_delta = 0);

// The least epsilon likewise. An error where delta is not above what was spent of it.
Result<double> zcdp_epsilon(double rho, double delta, double spent_delta = 0);

// rho + 2 sqrt(rho ln(1 / delta)), rounded up: Bun and Steinke 2016, Proposition 1.3. Looser; published figures use it.
// delta above 0.
double classical_zcdp_epsilon(double rho, double delta);

}  // namespace vernier::accounting
