#include "vernier/noise/rank_statistic.hpp"

#include <algorithm>
#include <numeric>
#include <string>

namespace vernier::noise {

Margins::Margins(std::int64_t points) {
  for (std::int64_t margin = 0; margin < points - 1; margin += std::max<std::int64_t>(margin / 8, 1)) {
    all_.push_back(margin);
  }
  all_.push_back(points - 1);
}

std::int64_t Margins::first_from(std::int64_t margin) const {
  return std::lower_bound(all_.begin(), all_.end(), margin) - all_.begin();
}

namespace {

Result<void> check_points(std::int64_t points) {
  if (points >= 2 && points <= most_rank_points) return {};
  return invalid("the grid of a quantile has from 2 to 2^20 points, but it has " + std::to_string(points));
}

}  // namespace

Result<RankGrid> RankGrid::of(std::int64_t steps) {
  if (steps < 1 || steps > (std::int64_t{1} << 53)) {
    return invalid("the values of a quantile have from 1 to 2^53 steps, but these have " + std::to_string(steps));
  }
  int halvings = 0;
  while ((steps >> halvings) + 1 > most_rank_points) ++halvings;
  return RankGrid(steps, halvings);
}

Result<RankStatistic> RankStatistic::quantile(std::int64_t parts, std::int64_t whole, std::int64_t points) {
  VERNIER_TRY(check_points(points));
  if (!(0 < parts && parts < whole)) {
    return invalid("the fraction of a quantile must lie between 0 and 1, both excluded", "MIN and MAX are the ends");
  }
  if (whole > greatest_fraction_denominator) {
    return invalid("the fraction of a quantile may have at most six decimals, as 0.999999 has");
  }
  const std::int64_t common = std::gcd(parts, whole);
  return RankStatistic(parts / common, whole / common, 0, points, Ends::both);
}

Result<RankStatistic> RankStatistic::sample_quantile(std::int64_t parts, std::int64_t whole, std::int64_t points) {
  return quantile(parts, whole, points).map([](RankStatistic made) {
    made.is_of_sample_ = true;
    made.numerator_ *= 2;
    made.denominator_ *= 2;
    return made;
  });
}

std::int64_t RankStatistic::candidates() const {
  if (has_value()) return 3 * points_ * Margins(points_).count();
  return ends_ == Ends::both ? points_ * points_ : points_;
}

Result<RankStatistic> RankStatistic::least(std::int64_t points) {
  VERNIER_TRY(check_points(points));
  return RankStatistic(0, 1, 1, points, Ends::upper);
}

Result<RankStatistic> RankStatistic::greatest(std::int64_t points) {
  VERNIER_TRY(check_points(points));
  return RankStatistic(1, 1, 0, points, Ends::lower);
}

}  // namespace vernier::noise
