#include "vernier/noise/rank_choice.hpp"

#include <algorithm>

namespace vernier::noise {
namespace {

using Runs = std::span<const RankRuns::Run>;

// The first run behind `from` that is further than `distance`.
std::size_t behind(Runs runs, std::size_t from, std::int64_t distance) {
  while (from < runs.size() && runs[from].distance <= distance) ++from;
  return from;
}

}  // namespace

RankChoice::RankChoice(const RankStatistic& statistic, std::span<const Occupied> rows, const RankReach& reach)
    : statistic_(statistic), lower_(statistic, rows, reach, End::lower), upper_(statistic, rows, reach, End::upper) {
  const Runs none;
  const Runs lower = statistic.ends() == Ends::upper ? none : lower_.runs();
  const Runs upper = statistic.ends() == Ends::lower ? none : upper_.runs();
  steps_.reserve(lower.size() + upper.size());
  for (std::size_t i = 0, k = 0; i < lower.size() || k < upper.size();) {
    const bool is_lower = k == upper.size() || (i < lower.size() && lower[i].distance <= upper[k].distance);
    const std::int64_t distance = is_lower ? lower[i].distance : upper[k].distance;
    i = behind(lower, i, distance);
    k = behind(upper, k, distance);
    steps_.push_back({distance, i, k});
  }
}

// An end that is not drawn has one point, always.
RankChoice::Counts RankChoice::counts(std::size_t levels) const {
  if (levels == 0) return {statistic_.ends() == Ends::upper ? 1 : 0, statistic_.ends() == Ends::lower ? 1 : 0};
  const Step& step = steps_[levels - 1];
  return {statistic_.ends() == Ends::upper ? 1 : lower_.points_in(step.lower),
          statistic_.ends() == Ends::lower ? 1 : upper_.points_in(step.upper)};
}

random::Wiped<Level> RankChoice::levels() const {
  random::Wiped<Level> levels;
  levels.reserve(steps_.size());
  std::int64_t before = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const std::int64_t with = counts(i + 1).pairs();
    levels.push_back({steps_[i].distance, with - before});
    before = with;
  }
  return levels;
}

// Pairs whose lower end is of this level, with every upper end up to it; then nearer lower ends with an upper end of
// this level.
std::array<std::int64_t, 2> RankChoice::candidate(std::size_t level, std::int64_t place) const {
  const Counts before = counts(level), with = counts(level + 1);
  const std::int64_t first = (with.lower - before.lower) * with.upper;
  std::int64_t lower = 0, upper = 0;
  if (place < first) {
    lower = before.lower + place / with.upper;
    upper = place % with.upper;
  } else {
    const std::int64_t each = with.upper - before.upper;
    lower = (place - first) / each;
    upper = before.upper + (place - first) % each;
  }
  return {statistic_.ends() == Ends::upper ? 0 : lower_.point(lower),
          statistic_.ends() == Ends::lower ? statistic_.points() - 1 : upper_.point(upper)};
}

}  // namespace vernier::noise
