#include "vernier/release/tree_numbers.hpp"

#include "vernier/plan/rank_measure.hpp"
#include "vernier/plan/rank_tree.hpp"

namespace vernier::release {

Result<NumberMaker> tree_maker(const plan::BoundStatistic& statistic, std::size_t measurement, const plan::Law& law) {
  const plan::Measurement& one = statistic.measurements[measurement];
  if (!plan::additive(law)) return invalid("a tree of counts has noise of a law that adds it");
  const auto ranked = plan::rank_statistic(one);
  const auto grid = plan::rank_grid(one);
  if (!ranked) return Failure(ranked.error());
  const std::size_t first = 2 * plan::tree_slot(statistic, measurement);
  return NumberMaker([=](std::span<const std::int64_t> noisy) -> Result<Number> {
    if (first + 2 > noisy.size()) return invalid("a tree of counts has two ends for each of its quantiles");
    if (noisy[first] > noisy[first + 1]) return invalid("the ends of a quantile from a tree of counts never cross");
    return interval::interval_between({noisy[first], noisy[first + 1]}, *ranked, *grid)
        .map([&](const interval::QuantileInterval& found) {
          return quantile_number(found, one, interval::QuantileInterval::covers);
        });
  });
}

}  // namespace vernier::release
