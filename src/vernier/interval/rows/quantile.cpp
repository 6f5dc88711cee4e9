#include "vernier/interval/rows/quantile.hpp"

#include <algorithm>

namespace vernier::interval {

using noise::Ends;

Result<QuantileInference> QuantileInference::of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                                const noise::Exponential& law, Alpha alpha) {
  if (statistic.points() != grid.points()) return invalid("a quantile and its grid must have the same points");
  if (statistic.has_value()) return invalid("of a quantile of the rows more than ends is chosen");
  return noise::reach_of(law, statistic, alpha).map([&](std::int64_t reach) {
    return QuantileInference(statistic, grid, law, reach);
  });
}

Result<QuantileInterval> interval_between(std::array<std::int64_t, 2> ends, const noise::RankStatistic& statistic,
                                          const noise::RankGrid& grid) {
  const std::int64_t last = grid.points() - 1;
  const bool is_on_grid = std::all_of(ends.begin(), ends.end(), [&](auto end) { return 0 <= end && end <= last; });
  if (!is_on_grid || (statistic.ends() == Ends::lower && ends[1] != last) ||
      (statistic.ends() == Ends::upper && ends[0] != 0)) {
    return invalid("the ends of a quantile must be points of its grid, and an end that is not drawn that of the grid");
  }
  const auto [least, greatest] = std::minmax(ends[0], ends[1]);
  const std::int64_t low = grid.first(least), high = grid.last(greatest);
  const bool is_all = least == 0 && greatest == last;
  if (statistic.ends() == Ends::both) {
    const std::int64_t value = low + (high - low) / 2;
    return QuantileInterval{value, high - value, low, high, !is_all, is_all};
  }
  // Of MIN and MAX one end is the bound, which tells nothing: the value is the one that was drawn.
  const std::int64_t drawn = statistic.ends() == Ends::upper ? greatest : least;
  const std::int64_t value = grid.first(drawn) + (grid.last(drawn) - grid.first(drawn)) / 2;
  return QuantileInterval{value, std::max(high - value, value - low), low, high, !is_all, is_all};
}

Result<ValueQuantileInference> ValueQuantileInference::of(const noise::RankStatistic& statistic,
                                                          const noise::RankGrid& grid, const noise::Exponential& law,
                                                          Alpha alpha) {
  if (statistic.points() != grid.points()) return invalid("a quantile and its grid must have the same points");
  if (!statistic.has_value()) return invalid("a value is chosen for a quantile of the rows alone");
  return noise::value_reach_of(law, statistic, alpha).map([&](const noise::ValueReach& reach) {
    return ValueQuantileInference(statistic, grid, law, reach);
  });
}

Result<QuantileInterval> ValueQuantileInference::from(const Points& chosen) const {
  const auto& [least, middle, greatest] = chosen;
  const std::int64_t last = grid_.points() - 1;
  if (!(0 <= least && least <= middle && middle <= greatest && greatest <= last)) {
    return invalid("a quantile must be a point of its grid, between two ends that are points of it, too");
  }
  const std::int64_t low = grid_.first(least), high = grid_.last(greatest), first = grid_.first(middle);
  const std::int64_t value = first + (grid_.last(middle) - first) / 2;
  const bool is_all = least == 0 && greatest == last;
  return QuantileInterval{value, std::max(high - value, value - low), low, high, !is_all, is_all};
}

}  // namespace vernier::interval
