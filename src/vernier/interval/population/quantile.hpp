#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "vernier/core/types.hpp"
#include "vernier/interval/rows/quantile.hpp"

// A quantile of the population of which the rows are a random sample, from the ends that were drawn:
// population/quantile.md has the proof.
namespace vernier::interval {

// In steps of the declared grid. A quantile of the population, clamped likewise, lies in [low, high] with probability
// 1 - alpha at least.
struct PopulationQuantileInterval : QuantileInterval {
  static constexpr Covers covers = Covers::population;
};

// What of alpha the choice of the ends may use, an eighth; the rest is for the sample. An error below 8e-300.
Result<Alpha> alpha_of_choice(Alpha alpha);

// How far the rows of a sample may have a quantile of the population from where it should be, but for what alpha leaves
// to the sample: for every number of rows. `statistic` is a sample_quantile. Where rows are weighted, ranks count steps
// of their weights, and `heaviest` is the greatest weight.
noise::RankReach sample_reach(const noise::RankStatistic& statistic, Alpha alpha,
                              std::optional<std::int64_t> heaviest = std::nullopt);

// The reach of ends that are wanted far enough from the quantile of the rows to have that of the population between
// them, for every number of rows. Weights of up to 2^22 steps.
Result<noise::RankReach> population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic,
                                          Alpha alpha, std::optional<std::int64_t> heaviest = std::nullopt);

// How far from the quantile of the rows the ends are wanted, and what becomes of the ends that were drawn.
class PopulationQuantileInference {
 public:
  using Points = QuantileInference::Points;

  // `statistic` is a sample_quantile over the points of `grid`.
  static Result<PopulationQuantileInference> of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                                const noise::Exponential& law, Alpha alpha,
                                                std::optional<std::int64_t> heaviest = std::nullopt);

  const noise::RankStatistic& statistic() const { return of_rows_.statistic(); }
  const noise::RankGrid& grid() const { return of_rows_.grid(); }
  const noise::Exponential& law() const { return of_rows_.law(); }
  const noise::RankReach& reach() const { return reach_; }  // in units of 1 / denominator of a rank

  // What draw_points() gives, in points of the grid; an error where it can give no such thing.
  Result<PopulationQuantileInterval> from(const Points& ends) const;

 private:
  PopulationQuantileInference(const QuantileInference& of_rows, const noise::RankReach& reach)
      : of_rows_(of_rows), reach_(reach) {}
  QuantileInference of_rows_;
  noise::RankReach reach_;
};

}  // namespace vernier::interval
