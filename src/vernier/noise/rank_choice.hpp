#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/noise/exponential.hpp"
#include "vernier/noise/level_sampler.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/noise/rank_runs.hpp"
#include "vernier/noise/rank_statistic.hpp"
#include "vernier/random/source.hpp"

// One choice of the ends of a quantile's interval: exponential.md.
namespace vernier::noise {

// The lower end is wanted where D crosses -reach, the upper end where it crosses reach, D being moved by what the reach
// grows by with the rows beyond. The distance of a pair is the
// greater one of its two; one end alone has its own.
class RankChoice {
 public:
  RankChoice(const RankStatistic& statistic, std::span<const Occupied> rows, const RankReach& reach);

  RankChoice(const RankChoice&) = delete;
  RankChoice& operator=(const RankChoice&) = delete;

  // How many candidates there are at each distance, the nearest first.
  random::Wiped<Level> levels() const;

  // The candidate of a level that has so many of its level before it.
  std::array<std::int64_t, 2> candidate(std::size_t level, std::int64_t place) const;

 private:
  // Of each level: runs that are at most as far, at either end.
  struct Step {
    std::int64_t distance;
    std::size_t lower, upper;
  };
  struct Counts {
    std::int64_t lower, upper;
    std::int64_t pairs() const { return lower * upper; }
  };
  Counts counts(std::size_t levels) const;  // points in the first so many levels

  RankStatistic statistic_;
  RankRuns lower_, upper_;
  random::Wiped<Step> steps_;
};

// The two ends, in points of the grid; what is not drawn is the end of the grid.
template <class Stream>
Result<std::array<std::int64_t, 2>> draw_points(const Exponential& law, const RankStatistic& statistic,
                                                std::span<const Occupied> rows, const RankReach& reach,
                                                random::BasicSource<Stream>& source) {
  const RankChoice choice(statistic, rows, reach);
  return draw_candidate(law, choice, source);
}

}  // namespace vernier::noise
