#include "vernier/noise/rank_reach.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/noise/rank_statistic.hpp"

namespace vernier::noise {

using numeric::Rational;

namespace {

constexpr double raised = 1 + 0x1p-40;          // over the roundings of three operations
constexpr double behind_the_turn = 1 + 0x1p-9;  // where a row adds less than growth (1 - 2^-10)
constexpr std::int64_t greatest_reach = std::int64_t{1} << 59;

Probability chance(Alpha alpha) { return *Probability::of(alpha.value()); }

}  // namespace

RankReach::RankReach(std::int64_t reach, double constant, double root, std::int64_t growth)
    : reach_(reach), constant_(constant), root_(root), growth_(growth) {
  const double turn = root / (2 * static_cast<double>(growth));
  turn_ = static_cast<std::int64_t>(std::ceil(turn * turn * behind_the_turn));
}

// A little more, by which the straight part stays above the root.
std::int64_t RankReach::formula(std::int64_t rows) const {
  const double sampled = constant_ + root_ * std::sqrt(static_cast<double>(rows));
  return reach_ + static_cast<std::int64_t>(std::ceil(sampled * raised)) + growth_ * (2 + (turn_ >> 17));
}

std::int64_t RankReach::at(std::int64_t rows) const {
  if (growth_ == 0) return reach_;
  return rows >= turn_ ? formula(rows) : formula(turn_) - growth_ * (turn_ - rows);
}

// In the midst of the reaches that are as good as any other is that of the value: the page has what more and less give.
Result<ValueReach> value_reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha) {
  const auto least = law.distance_quantile(4 * Margins(statistic.points()).count() + 2, chance(alpha));
  const auto of_value = reach_of(law, statistic, alpha);
  const auto beyond = law.distance_quantile(statistic.candidates() + 1, *Probability::of(0.5));
  if (!least) return Failure(least.error());
  if (!of_value) return Failure(of_value.error());
  if (!beyond) return Failure(beyond.error());
  return ValueReach{*least, std::max<std::int64_t>(*of_value - *least, 0), *least + *beyond};
}

Result<std::int64_t> reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha) {
  return law.distance_quantile(statistic.candidates(), chance(alpha));
}

// Less than the reach; of ends beyond the reach by less than the reach.
Rational ranks_of(std::int64_t reach, const RankStatistic& statistic) {
  const std::int64_t reaches = statistic.has_value() ? 1 : 2;
  return *quotient(Rational::of(reaches * reach - 1), Rational::of(statistic.denominator()));
}

std::int64_t reach_for(const Rational& ranks, const RankStatistic& statistic) {
  const std::int64_t reaches = statistic.has_value() ? 1 : 2;
  const Rational most = ranks * Rational::of(statistic.denominator()) + Rational::of(1);
  return std::clamp<std::int64_t>(most.floor().value_or(2 * greatest_reach) / reaches, 1, greatest_reach);
}

double scale_for(std::int64_t reach, const RankStatistic& statistic, Alpha alpha) {
  return Exponential::scale_for(reach, statistic.candidates(), chance(alpha));
}

}  // namespace vernier::noise
