#include "vernier/plan/statistic/ranks.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/plan/statistic/quantile.hpp"

namespace vernier::plan {

using noise::RankGrid;
using noise::RankStatistic;

namespace {

// A row adds the one to D, or takes the other away, or less: what a reach grows by is taken from that.
Steps steps_of(const RankStatistic& statistic, std::int64_t heaviest) {
  return {-statistic.numerator() * heaviest, (statistic.denominator() - statistic.numerator()) * heaviest};
}

}  // namespace

bool absorbs_sample(const BoundStatistic& statistic, const Figure& figure) {
  return figure == Quantile::quantile && statistic.inference.of_population;
}

bool has_chosen_value(const Measurement& measurement) {
  return measurement.figure == Quantile::quantile && !measurement.absorbs_sample;
}

std::size_t rank_width(const Measurement& measurement) { return has_chosen_value(measurement) ? 3 : 2; }

Result<RankGrid> rank_grid(const Measurement& measurement) { return RankGrid::of(measurement.steps); }

Result<RankStatistic> rank_statistic(const Measurement& measurement) {
  VERNIER_TRY(const RankGrid grid, rank_grid(measurement));
  if (measurement.figure == Quantile::least) return RankStatistic::least(grid.points());
  if (measurement.figure == Quantile::greatest) return RankStatistic::greatest(grid.points());
  const auto& [parts, whole] = measurement.fraction;
  return measurement.absorbs_sample ? RankStatistic::sample_quantile(parts, whole, grid.points())
                                    : RankStatistic::quantile(parts, whole, grid.points());
}

Result<Sensitivity> rank_sensitivity(const Measurement& measurement, Contribution contribution, Groups groups,
                                     privacy::Neighbours neighbours, std::int64_t heaviest) {
  return rank_statistic(measurement).and_then([&](const RankStatistic& statistic) {
    return sum_sensitivity(steps_of(statistic, heaviest), contribution, groups, neighbours);
  });
}

bool weighted_ranks_fit(const BoundStatistic& statistic, const Measurement& measurement) {
  const Result<RankStatistic> ranked = rank_statistic(measurement);
  const Int128 heaviest = heaviest_of(statistic);
  return ranked && heaviest * statistic.table.row_limit <= ranked->rows_that_fit() &&
         (heaviest + 1) * ranked->points() <= Int128{1} << 62;
}

// Values are whole steps, at most 2^53 of them, so that the products are exact.
Estimate ranked_estimate(const interval::QuantileInterval& found, const Measurement& measurement,
                         interval::Covers covers) {
  const auto value = [&](std::int64_t steps) { return static_cast<double>(steps) * measurement.granularity; };
  const std::int64_t origin = measurement.origin;
  return {.value = value(origin + found.value),
          .accuracy = value(found.accuracy),
          .interval = {value(origin + found.low), value(origin + found.high)},
          .is_whole = measurement.granularity >= 1,
          .coverage = interval::QuantileInterval::status,
          .covers = covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

}  // namespace vernier::plan
