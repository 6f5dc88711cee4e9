#include "vernier/interval/quantile.hpp"

#include <algorithm>

namespace vernier::interval {

using noise::Ends;

Result<QuantileInference> QuantileInference::of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                                const noise::Exponential& law, Alpha alpha) {
  if (statistic.points() != grid.points()) return invalid("a quantile and its grid must have the same points");
  return noise::reach_of(law, statistic, alpha).map([&](std::int64_t reach) {
    return QuantileInference(statistic, grid, law, reach);
  });
}

Result<QuantileInterval> QuantileInference::from(std::array<std::int64_t, 2> ends) const {
  const std::int64_t last = grid_.points() - 1;
  const bool is_on_grid = std::all_of(ends.begin(), ends.end(), [&](auto end) { return 0 <= end && end <= last; });
  if (!is_on_grid || (statistic_.ends() == Ends::lower && ends[1] != last) ||
      (statistic_.ends() == Ends::upper && ends[0] != 0)) {
    return invalid("the ends of a quantile must be points of its grid, and an end that is not drawn that of the grid");
  }
  const auto [least, greatest] = std::minmax(ends[0], ends[1]);
  const std::int64_t low = grid_.first(least), high = grid_.last(greatest);
  const std::int64_t value = low + (high - low) / 2;
  const bool is_all = least == 0 && greatest == last;
  return QuantileInterval{value, high - value, low, high, !is_all, is_all};
}

}  // namespace vernier::interval
