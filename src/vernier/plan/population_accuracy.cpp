#include "vernier/plan/population_accuracy.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/core/rounded_text.hpp"
#include "vernier/interval/population_quantile.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/numeric/normal_quantile.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr double last_digits = 1e-9;  // of figures that are known about

bool is_total(const Measurement& measurement) { return has_fixed_margin(measurement.figure); }

// For how many members of the population a row stands, or a step of its weight; of what is no total 1.
double members_of_step(const BoundStatistic& statistic, const Measurement& measurement) {
  if (!is_total(measurement)) return 1;
  const interval::Design design = design_of(statistic);
  if (design.members_of_weight > 0) return design.members_of_weight;
  return design.sampled > 0 ? 1 / design.sampled : 1;
}

// The standard deviation of what a row adds to the sum or to the mean that the figure is, or is made from.
double spread_of_row(const Measurement& measurement) {
  const double range = static_cast<double>(measurement.steps) * measurement.granularity;
  const double spread = measurement.steps == 1 ? range / 2 : range / 4;
  switch (measurement.figure) {
    case Figure::count:
      return 1;
    case Figure::sum: {
      const double lower = static_cast<double>(measurement.origin) * measurement.granularity;
      return std::max(std::abs(lower), std::abs(lower + range)) / 2;
    }
    case Figure::variance_sample:
    case Figure::variance_population:
      return std::sqrt(2.0) * spread * spread;  // of a normal law
    case Figure::deviation_sample:
    case Figure::deviation_population:
      return spread / std::sqrt(2.0);
    default:
      return spread;
  }
}

// Of weights that lie evenly between 0 and the greatest: the mean of their squares over the square of their mean.
constexpr double typical_design_effect = 4.0 / 3;

// What sampling adds to the variance of a total for each row with value 1, in squared members: of weights that lie
// evenly between 0 and H, with mean H/2, the interval has H (1 - 1/H) times that.
double total_variance_of_row(const BoundStatistic& statistic) {
  const double most = statistic.weighted->most_members();
  return std::max(most - 1, 0.0) * most / 2;
}

// About, by the normal law, which for many rows the sampling error has.
double sampling_accuracy(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  const double left_out = 1 - design_of(statistic).sampled;
  const double rows = std::sqrt(static_cast<double>(statistic.typical_rows) * left_out);
  const double point = numeric::normal_upper_point(std::log(alpha.value() / 2));
  if (is_total(measurement) && statistic.weighted) {
    return point * spread_of_row(measurement) * rows * std::sqrt(total_variance_of_row(statistic));
  }
  const double unequal = statistic.weighted ? std::sqrt(typical_design_effect) : 1;
  const double moved = point * spread_of_row(measurement) * rows * unequal;
  if (is_total(measurement)) return moved * members_of_step(statistic, measurement);
  return moved / static_cast<double>(statistic.typical_rows);
}

}  // namespace

interval::Design design_of(const BoundStatistic& statistic) {
  const auto& sampled = statistic.table.sampled;
  return {.sampled = sampled ? nearest(*sampled) : 0,
          .greatest_weight = static_cast<double>(heaviest_of(statistic)),
          .members_of_weight = statistic.weighted ? statistic.weighted->granularity : 0};
}

double population_accuracy(const BoundStatistic& statistic, const Measurement& measurement, double noise, Alpha alpha) {
  const double sampling = sampling_accuracy(statistic, measurement, alpha);
  return std::hypot(noise * members_of_step(statistic, measurement), sampling) * (1 + last_digits);
}

Result<Rational> noise_target(const BoundStatistic& statistic, const Measurement& measurement, Alpha alpha) {
  if (!statistic.inference.of_population) return *measurement.target;
  const double target = measurement.target->round_down() * (1 - 4 * last_digits);
  const double sampling = sampling_accuracy(statistic, measurement, alpha);
  if (target <= sampling) {
    return invalid("cannot be known within that: " + std::to_string(statistic.typical_rows) +
                   " rows, as a sample of the population, know it within about " + rounded_up_text(sampling, 3) +
                   " even without noise; ask for a larger accuracy, or state typical_rows if groups have more rows");
  }
  const double left = std::sqrt((target - sampling) * (target + sampling));
  return Rational::of(left / members_of_step(statistic, measurement));
}

std::optional<std::int64_t> greatest_weight(const BoundStatistic& statistic) {
  return statistic.weighted ? std::optional(statistic.weighted->heaviest) : std::nullopt;
}

std::int64_t typical_ranks(const BoundStatistic& statistic) {
  if (!statistic.weighted) return statistic.typical_rows;
  constexpr Int128 most = Int128{1} << 60;
  return static_cast<std::int64_t>(
      std::min(Int128{statistic.typical_rows} * statistic.weighted->heaviest / 2 + 1, most));
}

Result<std::int64_t> reach_of(const BoundStatistic& statistic, const noise::Exponential& law,
                              const noise::RankStatistic& ranked, Alpha alpha) {
  if (!statistic.inference.of_population) return noise::reach_of(law, ranked, alpha);
  return interval::population_reach(law, ranked, alpha, greatest_weight(statistic))
      .map([&](const noise::RankReach& reach) { return reach.at(typical_ranks(statistic)); });
}

}  // namespace vernier::plan
