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

// Of some columns: how many have noise of their own, how many there are, and how many share with this one.
struct Figures {
  std::int64_t independent = 0;
  std::int64_t all = 0;
  std::int64_t alike = 0;
};

std::size_t source_of(const BoundStatistic& statistic, std::size_t measurement) {
  return statistic.measurements[measurement].source.value_or(measurement);
}

Figures figures_among(const BoundStatistic& statistic, const std::vector<std::size_t>& measurements,
                      std::size_t measurement) {
  std::set<std::size_t> sources;
  Figures found;
  for (const std::size_t one : measurements) {
    sources.insert(source_of(statistic, one));
    ++found.all;
    found.alike += source_of(statistic, one) == source_of(statistic, measurement) ? 1 : 0;
  }
  found.independent = static_cast<std::int64_t>(sources.size());
  return found;
}

Result<Alpha> level_among(const BoundStatistic& statistic, const Figures& figures, Alpha together,
                          std::int64_t groups) {
  if (statistic.inference.of_population) return interval::each_of(together, 1, groups * figures.all);
  return interval::each_of(together, groups * figures.independent, figures.alike);
}

std::vector<std::size_t> published(const BoundStatistic& statistic) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    if (statistic.measurements[i].aggregation) all.push_back(i);
  }
  return all;
}

std::vector<std::size_t> parts_of(const BoundStatistic& statistic, const query::Formula& formula) {
  std::vector<std::size_t> all;
  for (const std::size_t column : formula.columns()) all.push_back(measurement_of(statistic, column));
  return all;
}

// The formulas that are published: what orders rows alone has no interval.
bool is_published(const query::Query& query, std::size_t formula) {
  return std::find(query.outputs.begin(), query.outputs.end(), query::Output{false, formula, true}) !=
         query.outputs.end();
}

// What is chosen for one level, with whatever shares it, is chosen for the least that a formula takes it at.
Result<Alpha> level_of_ranks(const BoundStatistic& statistic, std::size_t measurement, Alpha together) {
  Alpha level = together;
  for (std::size_t i = 0; i < statistic.query.formulas.size(); ++i) {
    if (!is_published(statistic.query, i)) continue;
    const std::vector<std::size_t> parts = parts_of(statistic, statistic.query.formulas[i]);
    const Figures figures = figures_among(statistic, parts, measurement);
    if (figures.alike == 0 || figures.all < 2) continue;
    VERNIER_TRY(const Alpha found, level_among(statistic, figures, together, 1));
    if (found.value() < level.value()) level = found;
  }
  return level;
}

}  // namespace

std::size_t measurement_of(const BoundStatistic& statistic, std::size_t aggregation) {
  const auto found = std::find_if(statistic.measurements.begin(), statistic.measurements.end(),
                                  [&](const Measurement& one) { return one.aggregation == aggregation; });
  return static_cast<std::size_t>(found - statistic.measurements.begin());
}

Alpha alpha_of(const BoundStatistic& statistic, Alpha of_study) {
  const auto own = statistic.alpha ? Alpha::of(statistic.alpha->round_down()) : Result<Alpha>(of_study);
  return own.value_or(of_study);
}

Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha of_study, std::int64_t groups) {
  const Alpha together = alpha_of(statistic, of_study);
  if (!statistic.inference.is_simultaneous) {
    const bool is_ranked = is_in_ranks(statistic.measurements[measurement].figure);
    return is_ranked ? level_of_ranks(statistic, measurement, together) : together;
  }
  const Figures figures = figures_among(statistic, published(statistic), measurement);
  if (figures.alike == 0) return together;  // nothing is published from it
  return level_among(statistic, figures, together, groups);
}

Result<Alpha> level_of_part(const BoundStatistic& statistic, const query::Formula& formula, std::size_t of,
                            Alpha of_study, std::int64_t groups) {
  const bool is_at_one_level = is_in_ranks(statistic.measurements[of].figure);
  const Figures figures = figures_among(statistic, parts_of(statistic, formula), of);
  if (statistic.inference.is_simultaneous || is_at_one_level || figures.all < 2) {
    return level_of(statistic, of, of_study, groups);
  }
  return level_among(statistic, figures, alpha_of(statistic, of_study), 1);
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
      .map([&](const noise::RankReach& reach) { return reach.at(typical_ranks(statistic), ranked); });
}

}  // namespace vernier::plan
