#pragma once

#include <cmath>
#include <type_traits>
#include <utility>

#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/noise/grid_noise.hpp"

namespace vernier::mechanism {

// Noise for one real number as it is really added: on a grid, in integers. Rounding to the grid can bring two values
// further apart, from D to ceil(D / g) steps g, so that its privacy is that of the integer noise at this distance, and
// not that of the continuous law: noise/grid.md.
template <class IntegerMechanism>
class GridMechanism {
 public:
  using Law = std::remove_cvref_t<decltype(std::declval<IntegerMechanism>().law())>;

  GridMechanism(const noise::Grid& grid, const IntegerMechanism& in_units) : grid_(grid), in_units_(in_units) {}

  const noise::Grid& grid() const { return grid_; }
  const IntegerMechanism& in_units() const { return in_units_; }  // in steps of the grid
  double scale() const { return std::ldexp(in_units_.law().scale(), grid_.exponent()); }
  privacy::PrivacyCurve curve() const { return in_units_.curve(); }
  noise::GridNoise<Law> noise() const { return {grid_, in_units_.law()}; }

 private:
  noise::Grid grid_;
  IntegerMechanism in_units_;
};
using GridLaplace = GridMechanism<GeometricMechanism>;
using GridGaussian = GridMechanism<DiscreteGaussianMechanism>;

// The noise of noise::on_grid(mechanism.law()), with what it costs: up to 2^-20 of epsilon more than the continuous law
// of Laplace noise, which is half as much again at 1e-6 and hundreds of times as much at 1e-9. Of one number: an error
// where the sensitivity is more than 2^53 steps.
Result<GridLaplace> on_grid(const LaplaceMechanism& mechanism);
Result<GridGaussian> on_grid(const GaussianMechanism& mechanism);

// The least noise on a grid that satisfies the budget. The grid is so fine that the sensitivity has 2^20 to 2^21 steps,
// or as many as leave the scale in the range of an integer law, 1e12 steps.
Result<GridLaplace> calibrate_on_grid(privacy::Epsilon epsilon, privacy::Delta delta,
                                      privacy::L1Sensitivity sensitivity);
Result<GridGaussian> calibrate_on_grid(privacy::Epsilon epsilon, privacy::Delta delta,
                                       privacy::L2Sensitivity sensitivity);

}  // namespace vernier::mechanism
