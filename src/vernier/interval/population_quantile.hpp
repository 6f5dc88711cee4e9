#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vernier/core/types.hpp"
#include "vernier/interval/quantile.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// A quantile of the population of which the rows are a random sample, from the ends that were drawn:
// population_quantile.md has the proof.
namespace vernier::interval {

// In steps of the declared grid. A quantile of the population, clamped likewise, lies in [low, high] with probability
// 1 - alpha at least.
struct PopulationQuantileInterval : QuantileInterval {
  static constexpr Covers covers = Covers::population;
};

// The reach of ends that are wanted far enough from the quantile of the rows to have that of the population between
// them, for every number of rows up to this one. Known before any data where that is the row limit of the table; where
// it is taken from a released count, what that spends of alpha must have been taken off. Not for MIN and MAX, of which
// a sample tells nothing; at most 2^34 rows.
Result<std::int64_t> population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic, Alpha alpha,
                                      std::int64_t most_rows);

// How far from the quantile of the rows the ends are wanted, and what becomes of the ends that were drawn.
class PopulationQuantileInference {
 public:
  // `statistic` is over the points of `grid`; where rows are weighted, `heaviest` is the greatest weight, and ranks
  // count weights in their steps.
  static Result<PopulationQuantileInference> of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                                const noise::Exponential& law, Alpha alpha, std::int64_t most_rows,
                                                std::optional<std::int64_t> heaviest = std::nullopt);

  const noise::RankStatistic& statistic() const { return of_rows_.statistic(); }
  const noise::RankGrid& grid() const { return of_rows_.grid(); }
  const noise::Exponential& law() const { return of_rows_.law(); }
  std::int64_t reach() const { return reach_; }  // in units of 1 / denominator of a rank

  // What draw_ends() gives, in points of the grid; an error where it can give no such thing.
  Result<PopulationQuantileInterval> from(std::array<std::int64_t, 2> ends) const;

 private:
  PopulationQuantileInference(const QuantileInference& of_rows, std::int64_t reach)
      : of_rows_(of_rows), reach_(reach) {}
  QuantileInference of_rows_;
  std::int64_t reach_;
};

// What the number of rows is at most, from a released count, but for alpha.
template <class Law>
Result<std::int64_t> rows_at_most(const Law& law, std::int64_t released, Alpha alpha);

extern template Result<std::int64_t> rows_at_most(const noise::Geometric&, std::int64_t, Alpha);
extern template Result<std::int64_t> rows_at_most(const noise::DiscreteGaussian&, std::int64_t, Alpha);

}  // namespace vernier::interval
