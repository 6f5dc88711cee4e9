#include "vernier/noise/value_choice.hpp"

#include <algorithm>
#include <array>

namespace vernier::noise {
namespace {

// From this point on, to the next step, D has this height.
struct Step {
  std::int64_t point, height;
};

// D as a staircase, as far as it lies within `limit` of 0, and the first step above.
class Stairs {
 public:
  Stairs(const RankStatistic& statistic, std::span<const Occupied> rows, std::int64_t limit)
      : last_point_(statistic.points() - 1), limit_(limit) {
    steps_.reserve(rows.size() + 1);
    const std::int64_t total = number_of(rows);
    at_first_ = before_last_ = statistic.at(0, total);
    add({0, at_first_});
    std::int64_t up_to = 0;
    for (const Occupied& each : rows) {
      const std::int64_t height = statistic.at(up_to += each.rows, total);
      if (each.point == 0) at_first_ = height;
      if (each.point < last_point_) before_last_ = height;
      add({each.point, height});
    }
  }
  Stairs(const Stairs&) = delete;
  Stairs& operator=(const Stairs&) = delete;

  std::span<const Step> steps() const { return steps_; }
  std::int64_t last_point() const { return last_point_; }
  std::int64_t at_first() const { return at_first_; }        // D at the first point
  std::int64_t before_last() const { return before_last_; }  // D at the last point but one

 private:
  void add(Step step) {
    if (step.height < -limit_ || (!steps_.empty() && steps_.back().height > limit_)) return;
    steps_.push_back(step);
  }

  std::int64_t last_point_, limit_;
  std::int64_t at_first_, before_last_;
  random::Wiped<Step> steps_;
};

// Finds the least point at which D reaches a height; it starts where it was, so that it is fast for heights in order.
class Climb {
 public:
  explicit Climb(const Stairs& stairs) : stairs_(stairs) {}

  std::int64_t to(std::int64_t height) {
    const std::span<const Step> steps = stairs_.steps();
    while (at_ > 0 && steps[at_ - 1].height >= height) --at_;
    while (at_ < steps.size() && steps[at_].height < height) ++at_;
    return at_ < steps.size() ? steps[at_].point : stairs_.last_point();
  }

 private:
  const Stairs& stairs_;
  std::size_t at_ = 0;
};

// The candidates up to a distance, for distances that ascend.
class Collector {
 public:
  Collector(const Stairs& stairs, const ValueReach& reach)
      : reach_(reach),
        needs_upper_(stairs.before_last() - reach.least),
        needs_lower_(-stairs.at_first() - reach.least),
        climbs_{Climb(stairs), Climb(stairs), Climb(stairs), Climb(stairs), Climb(stairs), Climb(stairs)} {}

  CandidatesNear up_to(std::int64_t distance) {
    const std::int64_t inner = reach_.least - distance, outer = reach_.greatest() + distance;
    return {distance,
            {climbs_[0].to(-distance), climbs_[1].to(distance + 1)},
            {climbs_[2].to(-outer), climbs_[3].to(1 - inner)},
            {climbs_[4].to(inner), climbs_[5].to(outer + 1)},
            distance >= needs_upper_,
            distance >= needs_lower_};
  }

  // All distances at which candidates come in, from the least one possible to the farthest, which is not among them.
  random::Wiped<std::int64_t> distances(std::span<const Step> steps) const {
    random::Wiped<std::int64_t> all;
    all.reserve(6 * steps.size() + 3);
    all.insert(all.end(), {-reach_.slack, needs_upper_, needs_lower_});
    for (const Step& step : steps) {
      for (const std::int64_t height : {step.height, -step.height}) {
        all.insert(all.end(), {height, height + reach_.least, height - reach_.greatest()});
      }
    }
    std::erase_if(all, [&](std::int64_t one) { return one < -reach_.slack || one >= reach_.farthest; });
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

 private:
  ValueReach reach_;
  std::int64_t needs_upper_, needs_lower_;  // from this distance on a value may lack the end
  std::array<Climb, 6> climbs_;
};

}  // namespace

ValueChoice::ValueChoice(const RankStatistic& statistic, std::span<const Occupied> rows, const ValueReach& reach)
    : last_point_(statistic.points() - 1), margins_(statistic.points()) {
  const Stairs stairs(statistic, rows, reach.greatest() + reach.farthest + 1);
  Collector collector(stairs, reach);
  const random::Wiped<std::int64_t> distances = collector.distances(stairs.steps());
  near_.reserve(distances.size() + 2);
  for (const std::int64_t distance : distances) take(collector.up_to(distance));
  take(all_candidates(reach.farthest, last_point_));
}

void ValueChoice::take(const CandidatesNear& found) {
  const std::int64_t count = found.count(margins_);
  if (count > near_.back().count) near_.push_back({found, count});
}

random::Wiped<Level> ValueChoice::levels() const {
  random::Wiped<Level> levels;
  levels.reserve(near_.size() - 1);
  for (std::size_t i = 1; i < near_.size(); ++i) {
    levels.push_back(
        {near_[i].candidates.distance - near_[1].candidates.distance, near_[i].count - near_[i - 1].count});
  }
  return levels;
}

ChosenValue ValueChoice::candidate(std::size_t level, std::int64_t place) const {
  return candidate_beyond(near_[level].candidates, near_[level + 1].candidates, place, margins_, last_point_);
}

}  // namespace vernier::noise
