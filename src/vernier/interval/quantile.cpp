#include "vernier/interval/quantile.hpp"

#include <algorithm>
#include <string>

#include "vernier/numeric/rounding.hpp"

namespace vernier::interval {

using noise::Ends;
using numeric::Rational;

Result<QuantileInference> QuantileInference::of(const noise::RankStatistic& statistic, const noise::RankGrid& grid,
                                                LaplaceScale scale, Alpha alpha) {
  if (statistic.points() != grid.points()) return invalid("a quantile and its grid must have the same points");
  const auto law = noise::Exponential::of(scale, statistic.candidates());
  if (!law) return Failure(law.error());
  return law->distance_quantile(*Probability::of(alpha.value())).map([&](std::int64_t reach) {
    return QuantileInference(statistic, grid, *law, reach);
  });
}

// Beyond the reach by less than the reach: 2 reach - 1 in units of 1 / denominator.
double QuantileInference::ranks() const {
  const double units = numeric::subtract_up(numeric::multiply_up(2, static_cast<double>(reach_)), 1);
  return numeric::divide_up(units, static_cast<double>(statistic_.denominator()));
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

// 2 reach - 1 <= ranks * denominator.
double scale_for_ranks(const noise::RankStatistic& statistic, const Rational& ranks, Alpha alpha) {
  const Rational units = ranks * Rational::of(statistic.denominator()) + Rational::of(1);
  const std::int64_t twice = units.floor().value_or(std::int64_t{1} << 60);
  const std::int64_t reach = std::clamp<std::int64_t>(twice / 2, 1, std::int64_t{1} << 59);
  return noise::Exponential::scale_for(reach, statistic.candidates(), *Probability::of(alpha.value()));
}

}  // namespace vernier::interval
