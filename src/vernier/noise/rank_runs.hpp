#pragma once

#include <cstdint>
#include <span>

#include "vernier/noise/level_sampler.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/noise/rank_statistic.hpp"

namespace vernier::noise {

// So many rows at this point of the grid.
struct Occupied {
  std::int64_t point;
  std::int64_t rows;

  friend bool operator==(const Occupied&, const Occupied&) = default;
};

std::int64_t number_of(std::span<const Occupied> rows);

enum class End : std::uint8_t { lower, upper };

// The points of the grid, nearest first, in runs of neighbours at one distance: how far -reach lies from
// [D(t - 1), D(t)] for the lower end, and reach for the upper one. A reach that grows with the rows beyond an end moves
// D at every point by its own number of them. As many runs as there are points with rows, twice, and one; the size of
// the grid plays no part.
class RankRuns {
 public:
  // `rows` by ascending point, each once, with at least one row; no more rows than fit the statistic.
  RankRuns(const RankStatistic& statistic, std::span<const Occupied> rows, const RankReach& reach, End end);
  RankRuns(const RankRuns&) = delete;
  RankRuns& operator=(const RankRuns&) = delete;

  struct Run {
    std::int64_t distance;
    std::int64_t first;   // point
    std::int64_t nearer;  // points in the runs before it
  };
  std::span<const Run> runs() const { return runs_; }

  // Points in the first so many runs.
  std::int64_t points_in(std::size_t runs) const { return runs < runs_.size() ? runs_[runs].nearer : points_; }

  // The point that has `nearer` points before it in this order.
  std::int64_t point(std::int64_t nearer) const;

 private:
  std::int64_t points_;
  random::Wiped<Run> runs_;
};

}  // namespace vernier::noise
