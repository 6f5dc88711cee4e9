#include "vernier/noise/grid_noise.hpp"

namespace vernier::noise {
namespace {

// A scale in units is between 2^20 and 2^21, which every integer law takes.
double in_units(const Grid& grid, double scale) { return std::ldexp(scale, -grid.exponent()); }

}  // namespace

Result<ValueRange> ValueRange::of(Real lower, Real upper) {
  if (lower.value() <= upper.value()) return ValueRange(lower.value(), upper.value());
  return invalid("the lower end of a range must not exceed the upper end, but they are " + shortest(lower.value()) +
                 " and " + shortest(upper.value()));
}

LaplaceNoise on_grid(const Laplace& law) {
  const Grid grid = Grid::for_scale(LaplaceScale::of(law.scale()).value());
  return LaplaceNoise(grid, Geometric::of(LaplaceScale::of(in_units(grid, law.scale())).value()).value());
}

GaussianNoise on_grid(const Gaussian& law) {
  const Grid grid = Grid::for_scale(Sigma::of(law.scale()).value());
  return GaussianNoise(grid, DiscreteGaussian::of(Sigma::of(in_units(grid, law.scale())).value()).value());
}

}  // namespace vernier::noise
