#include "vernier/plan/rank_measure.hpp"

namespace vernier::plan {

using noise::RankGrid;
using noise::RankStatistic;

Result<RankGrid> rank_grid(const Measurement& measurement) { return RankGrid::of(measurement.steps); }

Result<RankStatistic> rank_statistic(const Measurement& measurement) {
  const Result<RankGrid> grid = rank_grid(measurement);
  if (!grid) return Failure(grid.error());
  if (measurement.figure == Figure::least) return RankStatistic::least(grid->points());
  if (measurement.figure == Figure::greatest) return RankStatistic::greatest(grid->points());
  return RankStatistic::quantile(measurement.fraction.parts, measurement.fraction.whole, grid->points());
}

Result<Sensitivity> rank_sensitivity(const Measurement& measurement, Contribution contribution, Groups groups,
                                     privacy::Neighbours neighbours) {
  return rank_statistic(measurement).and_then([&](const RankStatistic& statistic) {
    const Steps steps{-statistic.numerator(), statistic.denominator() - statistic.numerator()};
    return sum_sensitivity(steps, contribution, groups, neighbours);
  });
}

}  // namespace vernier::plan
