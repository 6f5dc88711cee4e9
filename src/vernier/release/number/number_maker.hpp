#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

#include "vernier/interval/population/quantile.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/quantile.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/noise/grid_noise.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/release/release.hpp"

namespace vernier::release {

// The published number of one group, from what its measurement gave with noise.
using NumberMaker = std::function<Result<Number>(std::span<const std::int64_t> noisy)>;

// Where a number in steps can lie, and what a step is worth.
struct Scale {
  double granularity;
  interval::PossibleRange possible;
  bool is_whole;
};
Number scaled(const interval::AdditiveInterval& units, const Scale& scale);

// Of what was found in steps of the grid.
Number quantile_number(const interval::QuantileInterval& found, const plan::Measurement& measurement,
                       interval::Covers covers);

// From the points that were chosen.
template <class Inference>
Result<NumberMaker> points_maker(const Result<Inference>& found, const plan::Measurement& measurement,
                                 interval::Covers covers) {
  if (!found) return Failure(found.error());
  return NumberMaker([inference = *found, measurement, covers](std::span<const std::int64_t> noisy) {
    typename Inference::Points points;
    std::copy_n(noisy.begin(), points.size(), points.begin());
    return inference.from(points).map(
        [&](const interval::QuantileInterval& interval) { return quantile_number(interval, measurement, covers); });
  });
}

// For all groups of a measurement. `threshold` where groups are published only if this very measurement passes it.
Result<NumberMaker> number_maker(const plan::Measurement& measurement, const plan::Law& law, Alpha alpha,
                                 std::optional<std::int64_t> threshold);

// How far an interval reaches, and what the points that were chosen become: of quantiles of the rows; of MIN and MAX.
Result<interval::ValueQuantileInference> value_inference(const plan::Measurement& measurement,
                                                         const noise::Exponential& law, Alpha alpha);
Result<interval::QuantileInference> rank_inference(const plan::Measurement& measurement, const noise::Exponential& law,
                                                   Alpha alpha);

// The bounds of the values of which node sums are taken.
Result<noise::ValueRange> bounds_of(const plan::Measurement& measurement);

// Of a variance or a deviation.
interval::SpreadForm form_of(plan::Figure figure);

// What is published from node sums: a mean, a variance or deviation, a count or a sum. Law is Geometric or
// DiscreteGaussian.
template <class Law>
Result<NumberMaker> node_number_maker(const plan::Measurement& measurement, const Law& law, Alpha alpha);

extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::Geometric&, Alpha);
extern template Result<NumberMaker> node_number_maker(const plan::Measurement&, const noise::DiscreteGaussian&, Alpha);

// From the ends that were read from a tree of noisy counts to one of its quantiles. An error where they can be no ends.
Result<NumberMaker> tree_maker(const plan::BoundStatistic& statistic, std::size_t measurement, const plan::Law& law);

// What is published from a measurement of a statistic, with an interval at this level for the rows or for their
// population, as the statistic asks.
Result<NumberMaker> figure_maker(const plan::BoundStatistic& statistic, std::size_t measurement,
                                 const plan::PlannedStatistic& planned, Alpha level);

// Of quantiles of the population: how far from those of the rows ends are wanted, and what they become.
Result<interval::PopulationQuantileInference> population_rank_inference(const plan::BoundStatistic& statistic,
                                                                        const plan::Measurement& measurement,
                                                                        const noise::Exponential& law, Alpha alpha);

}  // namespace vernier::release
