#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "vernier/core/text.hpp"
#include "vernier/core/types.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/laplace.hpp"
#include "vernier/random/wipe.hpp"

namespace vernier::noise {

// The multiples of a power of two, on which real values live from the moment they meet noise: a value is rounded to
// the grid, an integer of noise is added in units of it, and the scaling back to a real number comes last. It depends
// on the scale of the noise alone, never on data. grid.md has the proofs.
class Grid {
 public:
  // So fine that rounding moves a value by less than 2^-20 of the scale: 2^20 <= scale / granularity < 2^21.
  static Grid for_scale(LaplaceScale scale) { return Grid(std::ilogb(scale.value()) - 20); }
  static Grid for_scale(Sigma scale) { return Grid(std::ilogb(scale.value()) - 20); }

  int exponent() const { return exponent_; }
  double granularity() const { return granularity_; }

  // Values beyond this cannot be put on the grid in 64 bits with room for the noise.
  double greatest_value() const { return granularity_ * 0x1p62; }

  // The nearest unit, halves upward: floor(value / granularity + 1/2). abs(value) <= greatest_value().
  std::int64_t nearest_unit(double value) const;

  // How far apart, in units, two values can come to lie that are at most `distance` apart: the sensitivity on the grid.
  Result<std::int64_t> units_apart(Real distance) const;

  // Exact below 2^53 units; beyond that the nearest double, which is a point of the grid as well.
  double value_of(std::int64_t units) const { return static_cast<double>(units) * granularity(); }

 private:
  explicit Grid(int exponent) : exponent_(exponent), granularity_(std::ldexp(1.0, exponent)) {}
  int exponent_;
  double granularity_;
};

// Where values are declared to lie, from the catalog and never from data. What lies outside is moved to the nearer end;
// what is no number counts as the lower end.
class ValueRange {
 public:
  static Result<ValueRange> of(Real lower, Real upper);
  double lower() const { return lower_; }
  double upper() const { return upper_; }
  double clamp(double value) const { return value > lower_ ? (value < upper_ ? value : upper_) : lower_; }

 private:
  ValueRange(double lower, double upper) : lower_(lower), upper_(upper) {}
  double lower_, upper_;
};

// Noise for real values: an integer law in units of a grid, Geometric for Laplace noise and DiscreteGaussian for
// Gaussian noise. `units_law` is the law of what is added, exactly; accuracy, interval and privacy follow from it.
template <class IntegerLaw>
class GridNoise {
 public:
  GridNoise(Grid grid, const IntegerLaw& units_law) : grid_(grid), sampler_(units_law) {}

  const Grid& grid() const { return grid_; }
  const IntegerLaw& units_law() const { return sampler_.law(); }

  template <class Stream>
  [[nodiscard]] Result<double> draw(random::BasicSource<Stream>& source) const {
    VERNIER_TRY(const auto units, sampler_.draw(source));
    return grid_.value_of(units);
  }

  // Noise alone. On an error `out` is not a number everywhere.
  template <class Stream>
  [[nodiscard]] Result<void> fill(random::BasicSource<Stream>& source, std::span<double> out) const;

  // values + noise: clamped to the range, put on the grid, noise added in integers, scaled last. `out` may be `values`.
  template <class Stream>
  [[nodiscard]] Result<void> perturb(random::BasicSource<Stream>& source, ValueRange range,
                                     std::span<const double> values, std::span<double> out) const;

 private:
  template <class Stream, class AddValues>
  Result<void> release(random::BasicSource<Stream>& source, std::span<double> out, AddValues add_values) const;

  Grid grid_;
  IntegerSampler<IntegerLaw> sampler_;
};

using LaplaceNoise = GridNoise<Geometric>;
using GaussianNoise = GridNoise<DiscreteGaussian>;

// The noise of a continuous law on the grid of its scale. Its privacy is that of `units_law` at
// units_apart(sensitivity), up to 2^-20 of epsilon more than the continuous law's: mechanism/grid_mechanism.hpp has the
// figure, and keeps budgets.
LaplaceNoise on_grid(const Laplace& law);
GaussianNoise on_grid(const Gaussian& law);

// The inside of GridNoise.

// In chunks that stay in the cache: add_values(start, units) adds what is to be protected to the noise from `start` on.
template <class IntegerLaw>
template <class Stream, class AddValues>
Result<void> GridNoise<IntegerLaw>::release(random::BasicSource<Stream>& source, std::span<double> out,
                                            AddValues add_values) const {
  constexpr std::size_t chunk = 16384;
  std::vector<std::int64_t> units(std::min(out.size(), chunk));
  Result<void> filled;
  for (std::size_t start = 0; start < out.size(); start += chunk) {
    const std::size_t count = std::min(chunk, out.size() - start);
    filled = sampler_.fill(source, std::span(units).first(count));
    if (!filled) break;
    add_values(start, std::span<std::int64_t>(units).first(count));
    sampler_.loops().to_real(units.data(), count, grid_.granularity(), out.data() + start);
  }
  random::wipe(std::as_writable_bytes(std::span(units)));
  if (!filled) std::fill(out.begin(), out.end(), std::numeric_limits<double>::quiet_NaN());
  return filled;
}

template <class IntegerLaw>
template <class Stream>
Result<void> GridNoise<IntegerLaw>::fill(random::BasicSource<Stream>& source, std::span<double> out) const {
  return release(source, out, [](std::size_t, std::span<std::int64_t>) {});
}

// Neither term exceeds 2^62 in size (of the noise this is the sampler's contract), so the sum fits.
template <class IntegerLaw>
template <class Stream>
Result<void> GridNoise<IntegerLaw>::perturb(random::BasicSource<Stream>& source, ValueRange range,
                                            std::span<const double> values, std::span<double> out) const {
  if (values.size() != out.size()) return invalid("there must be as many outputs as values");
  if (std::max(std::fabs(range.lower()), std::fabs(range.upper())) > grid_.greatest_value()) {
    return invalid("a range of [" + shortest(range.lower()) + ", " + shortest(range.upper()) +
                       "] is too wide for noise of granularity " + shortest(grid_.granularity()),
                   "narrow the range or take a larger scale");
  }
  return release(source, out, [&](std::size_t start, std::span<std::int64_t> units) {
    for (std::size_t i = 0; i < units.size(); ++i) units[i] += grid_.nearest_unit(range.clamp(values[start + i]));
  });
}

}  // namespace vernier::noise
