#include "vernier/noise/rank_reach.hpp"

#include <algorithm>

namespace vernier::noise {

using numeric::Rational;

namespace {

constexpr std::int64_t greatest_reach = std::int64_t{1} << 59;

Probability chance(Alpha alpha) { return *Probability::of(alpha.value()); }

}  // namespace

Result<std::int64_t> reach_of(const Exponential& law, const RankStatistic& statistic, Alpha alpha) {
  return law.distance_quantile(statistic.candidates(), chance(alpha));
}

// Beyond the reach by less than the reach.
Rational ranks_of(std::int64_t reach, const RankStatistic& statistic) {
  return *quotient(Rational::of(2 * reach - 1), Rational::of(statistic.denominator()));
}

std::int64_t reach_for(const Rational& ranks, const RankStatistic& statistic) {
  const Rational twice = ranks * Rational::of(statistic.denominator()) + Rational::of(1);
  return std::clamp<std::int64_t>(twice.floor().value_or(2 * greatest_reach) / 2, 1, greatest_reach);
}

double scale_for(std::int64_t reach, const RankStatistic& statistic, Alpha alpha) {
  return Exponential::scale_for(reach, statistic.candidates(), chance(alpha));
}

}  // namespace vernier::noise
