#include "vernier/noise/rank_runs.hpp"

#include <algorithm>
#include <limits>

namespace vernier::noise {
namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();

// Neighbouring points that have the same D before and behind them.
struct Stretch {
  std::int64_t first, count;
  std::int64_t before, behind;  // D; least and greatest 64-bit integer where it is infinite

  std::int64_t distance(std::int64_t target) const {
    if (behind != infinite && target > behind) return target - behind;
    return before != -infinite && before > target ? before - target : 0;
  }
};

class Stretches {
 public:
  explicit Stretches(std::int64_t points) : points_(points) {}

  // Appends points [first, end), the ends of the grid as stretches of their own.
  void add(std::int64_t first, std::int64_t end, std::int64_t before, std::int64_t behind) {
    if (first >= end) return;
    if (first == 0 && end > 1) {
      add(0, 1, before, behind);
      return add(1, end, before, behind);
    }
    if (end == points_ && end - first > 1) {
      add(first, end - 1, before, behind);
      return add(end - 1, end, before, behind);
    }
    all_.push_back({first, end - first, first == 0 ? -infinite : before, end == points_ ? infinite : behind});
  }
  random::Wiped<Stretch>& all() { return all_; }

 private:
  std::int64_t points_;
  random::Wiped<Stretch> all_;
};

random::Wiped<Stretch> stretches_of(const RankStatistic& statistic, std::span<const Occupied> rows,
                                    const RankReach& reach, End end) {
  const std::int64_t total = number_of(rows);
  const auto moved = [&](std::int64_t up_to) {
    const std::int64_t d = statistic.at(up_to, total);
    return end == End::lower ? d + reach.of_lower(total - up_to) : d - reach.of_upper(up_to);
  };
  Stretches stretches(statistic.points());
  stretches.all().reserve(2 * rows.size() + 3);
  std::int64_t up_to = 0, next = 0;
  for (const Occupied& each : rows) {
    const std::int64_t before = moved(up_to);
    stretches.add(next, each.point, before, before);
    up_to += each.rows;
    stretches.add(each.point, each.point + 1, before, moved(up_to));
    next = each.point + 1;
  }
  const std::int64_t last = moved(up_to);
  stretches.add(next, statistic.points(), last, last);
  return std::move(stretches.all());
}

}  // namespace

std::int64_t number_of(std::span<const Occupied> rows) {
  std::int64_t total = 0;
  for (const Occupied& each : rows) total += each.rows;
  return total;
}

// D ascends, so that distances fall up to the stretches at distance 0 and rise behind them: two sorted rows.
RankRuns::RankRuns(const RankStatistic& statistic, std::span<const Occupied> rows, const RankReach& reach, End end)
    : points_(statistic.points()) {
  const std::int64_t target = end == End::lower ? -reach.of_choice() : reach.of_choice() - statistic.offset();
  const random::Wiped<Stretch> all = stretches_of(statistic, rows, reach, end);
  runs_.reserve(all.size());
  std::int64_t nearer = 0;
  const auto take = [&](const Stretch& stretch) {
    runs_.push_back({stretch.distance(target), stretch.first, nearer});
    nearer += stretch.count;
  };
  const auto is_left = [&](const Stretch& each) { return each.behind != infinite && each.behind < target; };
  const auto first_near = std::partition_point(all.begin(), all.end(), is_left);
  auto right = first_near;
  for (auto left = first_near; left != all.begin() || right != all.end();) {
    const bool is_right =
        left == all.begin() || (right != all.end() && right->distance(target) <= std::prev(left)->distance(target));
    take(is_right ? *right++ : *--left);
  }
}

std::int64_t RankRuns::point(std::int64_t nearer) const {
  const auto behind = std::upper_bound(runs_.begin(), runs_.end(), nearer,
                                       [](std::int64_t place, const Run& run) { return place < run.nearer; });
  const Run& run = *std::prev(behind);
  return run.first + (nearer - run.nearer);
}

}  // namespace vernier::noise
