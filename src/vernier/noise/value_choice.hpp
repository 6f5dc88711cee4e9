#pragma once

#include <cstdint>
#include <span>

#include "vernier/noise/candidates_near.hpp"
#include "vernier/noise/exponential.hpp"
#include "vernier/noise/level_sampler.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/noise/rank_runs.hpp"
#include "vernier/noise/rank_statistic.hpp"

// One choice of a quantile's value together with the interval around it: value_choice.md.
namespace vernier::noise {

// The distance of a candidate is the greatest one of what is wrong with it, in units of 1 / denominator of a rank: by
// how much its value misses the quantile; by how much its interval reaches less far than wanted; and by how much a
// shorter one would have reached further than wanted.
class ValueChoice {
 public:
  // `statistic` is a quantile of the rows; `rows` by ascending point, each once, no more of them than fit the
  // statistic.
  ValueChoice(const RankStatistic& statistic, std::span<const Occupied> rows, const ValueReach& reach);
  ValueChoice(const ValueChoice&) = delete;
  ValueChoice& operator=(const ValueChoice&) = delete;

  // How many candidates there are at each distance, counted from the least one, the nearest first.
  random::Wiped<Level> levels() const;

  // The candidate of a level that has so many of its level before it.
  ChosenValue candidate(std::size_t level, std::int64_t place) const;

 private:
  // All candidates up to a distance, and how many they are.
  struct Counted {
    CandidatesNear candidates;
    std::int64_t count;
  };
  void take(const CandidatesNear& found);

  std::int64_t last_point_;
  Margins margins_;
  random::Wiped<Counted> near_{{no_candidates, 0}};  // what is nearer than the nearest; then each distance with some
};

// The value, with the interval around it.
template <class Stream>
Result<ChosenValue> draw_points(const Exponential& law, const RankStatistic& statistic, std::span<const Occupied> rows,
                                const ValueReach& reach, random::BasicSource<Stream>& source) {
  const ValueChoice choice(statistic, rows, reach);
  return draw_candidate(law, choice, source);
}

}  // namespace vernier::noise
