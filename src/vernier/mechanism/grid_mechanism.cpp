#include "vernier/mechanism/grid_mechanism.hpp"

#include <algorithm>

namespace vernier::mechanism {
namespace {

using privacy::IntegerSensitivity;

Result<IntegerSensitivity> steps_of(const noise::Grid& grid, double sensitivity) {
  return Real::of(sensitivity)
      .and_then([&](Real distance) { return grid.units_apart(distance); })
      .and_then(IntegerSensitivity::of);
}

template <class IntegerMechanism, class Scale, class Noise>
Result<GridMechanism<IntegerMechanism>> with_noise(const Noise& noise, double sensitivity) {
  return steps_of(noise.grid(), sensitivity)
      .and_then([&](IntegerSensitivity steps) {
        return IntegerMechanism::at_scale(*Scale::of(noise.units_law().scale()), steps);
      })
      .map([&](const IntegerMechanism& made) { return GridMechanism<IntegerMechanism>(noise.grid(), made); });
}

// From the finest grid on. A coarser one is tried while the scale is too large for an integer law and the sensitivity
// is more than a step.
template <class IntegerMechanism>
Result<GridMechanism<IntegerMechanism>> calibrated(privacy::Epsilon epsilon, privacy::Delta delta, double sensitivity) {
  for (double coarser = 1;; coarser *= 4) {
    const Result<LaplaceScale> size = LaplaceScale::of(std::clamp(sensitivity * coarser, least_scale, greatest_scale));
    const noise::Grid grid = noise::Grid::for_scale(*size);
    VERNIER_TRY(const IntegerSensitivity steps, steps_of(grid, sensitivity));
    const Result<IntegerMechanism> made = IntegerMechanism::calibrate(epsilon, delta, steps);
    if (made) return GridMechanism<IntegerMechanism>(grid, *made);
    if (steps.value() == 1) return Failure(made.error());
  }
}

}  // namespace

Result<GridLaplace> on_grid(const LaplaceMechanism& mechanism) {
  return with_noise<GeometricMechanism, LaplaceScale>(noise::on_grid(mechanism.law()), mechanism.sensitivity().value());
}

Result<GridGaussian> on_grid(const GaussianMechanism& mechanism) {
  return with_noise<DiscreteGaussianMechanism, Sigma>(noise::on_grid(mechanism.law()), mechanism.sensitivity().value());
}

Result<GridLaplace> calibrate_on_grid(privacy::Epsilon epsilon, privacy::Delta delta,
                                      privacy::L1Sensitivity sensitivity) {
  return calibrated<GeometricMechanism>(epsilon, delta, sensitivity.value());
}

Result<GridGaussian> calibrate_on_grid(privacy::Epsilon epsilon, privacy::Delta delta,
                                       privacy::L2Sensitivity sensitivity) {
  return calibrated<DiscreteGaussianMechanism>(epsilon, delta, sensitivity.value());
}

}  // namespace vernier::mechanism
