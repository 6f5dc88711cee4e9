#include "vernier/plan/allocate/accuracy.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "vernier/core/text.hpp"
#include "vernier/interval/levels.hpp"
#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/noise/rank_reach.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::plan {
namespace {

// Of published columns: how many have noise of their own, how many there are, and how many share with this one.
struct Figures {
  std::int64_t independent = 0;
  std::int64_t all = 0;
  std::int64_t alike = 0;
};

Figures figures_of(const BoundStatistic& statistic, std::size_t measurement) {
  const auto source_of = [&](std::size_t i) { return statistic.measurements[i].source.value_or(i); };
  std::set<std::size_t> sources;
  Figures found;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (!statistic.measurements[i].aggregation) continue;
    sources.insert(source_of(i));
    ++found.all;
    found.alike += source_of(i) == source_of(measurement) ? 1 : 0;
  }
  found.independent = static_cast<std::int64_t>(sources.size());
  return found;
}

}  // namespace

Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha together, std::int64_t groups) {
  if (!statistic.inference.is_simultaneous) return together;
  const Figures figures = figures_of(statistic, measurement);
  if (figures.alike == 0) return together;  // nothing is published from it
  if (statistic.inference.of_population) return interval::each_of(together, 1, groups * figures.all);
  return interval::each_of(together, groups * figures.independent, figures.alike);
}

std::int64_t planned_groups(const BoundStatistic& statistic) {
  return statistic.keys.are_public ? released_groups(statistic, statistic.keys.cells.size()) : 1;
}

std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows) {
  const std::size_t groups = statistic.keys.are_public ? statistic.keys.cells.size() : rows;
  return static_cast<std::int64_t>(std::max<std::size_t>(groups, 1));
}

namespace {

using numeric::Rational;

constexpr double last_digits = 1e-9;  // of figures that are known about

bool is_total(const Measured& in) { return has_fixed_margin(in.one.figure); }

// For how many members of the population a row stands, or a step of its weight; of what is no total 1.
double members_of_step(const Measured& in) {
  if (!is_total(in)) return 1;
  const interval::Design design = design_of(in.statistic);
  if (design.members_of_weight > 0) return design.members_of_weight;
  return design.sampled > 0 ? 1 / design.sampled : 1;
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
double sampling_accuracy(const Measured& in, double spread, Alpha alpha) {
  const BoundStatistic& statistic = in.statistic;
  const double left_out = 1 - design_of(statistic).sampled;
  const double rows = std::sqrt(static_cast<double>(statistic.typical_rows) * left_out);
  const double point = numeric::normal_upper_point(std::log(alpha.value() / 2));
  if (is_total(in) && statistic.weighted) {
    return point * spread * rows * std::sqrt(total_variance_of_row(statistic));
  }
  const double unequal = statistic.weighted ? std::sqrt(typical_design_effect) : 1;
  const double moved = point * spread * rows * unequal;
  if (is_total(in)) return moved * members_of_step(in);
  return moved / static_cast<double>(statistic.typical_rows);
}

}  // namespace

interval::Design design_of(const BoundStatistic& statistic) {
  const auto& sampled = statistic.table.sampled;
  return {.sampled = sampled ? nearest(*sampled) : 0,
          .greatest_weight = static_cast<double>(heaviest_of(statistic)),
          .members_of_weight = statistic.weighted ? statistic.weighted->granularity : 0};
}

interval::Assurance assurance_of(const BoundStatistic& statistic) {
  return statistic.inference.is_guaranteed ? interval::Assurance::guaranteed : interval::Assurance::usual;
}

double population_accuracy(const Measured& in, double spread, double noise, Alpha alpha) {
  const double sampling = sampling_accuracy(in, spread, alpha);
  return std::hypot(noise * members_of_step(in), sampling) * (1 + last_digits);
}

Result<Rational> noise_target(const Measured& in, double spread, Alpha alpha) {
  if (!in.statistic.inference.of_population) return *in.one.target;
  const double target = in.one.target->round_down() * (1 - 4 * last_digits);
  const double sampling = sampling_accuracy(in, spread, alpha);
  if (target <= sampling) {
    return invalid("cannot be known within that: " + std::to_string(in.statistic.typical_rows) +
                   " rows, as a sample of the population, know it within about " + rounded_up_text(sampling, 3) +
                   " even without noise; ask for a larger accuracy, or state typical_rows if groups have more rows");
  }
  const double left = std::sqrt((target - sampling) * (target + sampling));
  return Rational::of(left / members_of_step(in));
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
