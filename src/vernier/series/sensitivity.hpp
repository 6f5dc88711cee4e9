#pragma once

#include <cstdint>
#include <vector>

#include "vernier/accounting/event.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/series/strategy.hpp"

// How far one unit moves all numbers of a series together, and what that gives away. series.md has the proofs.
namespace vernier::series {

// A unit counts at so many steps at most, of which each two are at least `apart` steps from each other.
struct Participation {
  std::int64_t most = 1;
  std::int64_t apart = 1;

  friend bool operator==(const Participation&, const Participation&) = default;
};

// The worst set of steps at which a unit may count: 0, apart, 2 apart, ... as far as there are steps.
std::vector<std::size_t> worst_steps(std::size_t steps, const Participation& participation);

// The square of the greatest length of a sum of columns of C over such a set: exactly of Toeplitz matrices, and of all
// where a unit counts at one step; of others a bound that is not below it.
Result<Square> squared_sensitivity(const Strategy& strategy, const Participation& participation);

// Its root, from above.
double sensitivity_of(Square square);

// The least scale of the noise: below it the smoothing of series.md costs more than a ten-thousandth.
inline constexpr double least_scale = 512;

// What all steps give away together, however later rows answer to what was published before: one Gaussian number of
// this sensitivity, whose scale is a little below that of the integer noise.
Result<accounting::Event> event_of(Square square, const noise::DiscreteGaussian& law);

}  // namespace vernier::series
