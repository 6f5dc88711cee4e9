#pragma once

#include <span>

#include "vernier/core/types.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/grid.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/noise/laplace.hpp"

namespace vernier::noise {

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

}  // namespace vernier::noise

#include "vernier/noise/grid_noise_impl.hpp"
