#include "vernier/noise/grid_noise.hpp"

#include "vernier/core/text.hpp"

namespace vernier::noise {

// floor(x + 1/2) without forming x + 1/2, which would round; x is exact, for it differs from value by a power of two.
std::int64_t Grid::nearest_unit(double value) const {
  const double x = std::ldexp(value, -exponent_);
  const double below = std::floor(x);
  return static_cast<std::int64_t>(below) + (x - below >= 0.5 ? 1 : 0);
}

// ceil(distance / granularity), since rounding commutes with whole shifts (grid.md); at least 1 for any distance above
// 0, even one whose quotient is below the least double.
Result<std::int64_t> Grid::units_apart(Real distance) const {
  if (distance.value() < 0) return invalid("a distance must not be negative, but it is " + shortest(distance.value()));
  if (distance.value() > greatest_value()) {
    return invalid("the distance " + shortest(distance.value()) + " is too large for a grid of granularity " +
                       shortest(granularity()),
                   "a larger noise scale makes the grid coarser");
  }
  if (distance.value() == 0) return 0;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(std::ldexp(distance.value(), -exponent_))));
}

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
