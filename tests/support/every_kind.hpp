#pragma once

#include <string>
#include <vector>

#include "support/public_count_releases.hpp"
#include "support/ranked_releases.hpp"
#include "support/weighted_releases.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// One statistic for every kind of number that is released.
namespace vernier::testing {

struct Kind {
  std::string name;
  BoundStatistic statistic;  // with the keys of one group, where keys are public
  RawGroup group;            // what an engine brings for a group
};

// COUNT(DISTINCT educ)
inline BoundStatistic distinct_by_region() {
  BoundStatistic made = with_columns(by_region(), {0});
  made.arguments = {{made.arguments[1].expression, 1, 0, {0, 0}, false, true}};
  made.tallies = {{TallyKind::distinct, 0}};
  made.measurements = {measured(plan::Distinct::kind, 0, {0}, 0, 1'000'000)};
  made.query.aggregations[0] = {query::Aggregate::count_distinct, made.arguments[0].expression, "n"};
  return made;
}

// The quantiles of a statistic over more values of their argument.
inline BoundStatistic with_values(BoundStatistic made, std::int64_t steps) {
  made.arguments[made.histograms[0].argument].steps.upper = steps;
  for (plan::Measurement& one : made.measurements) {
    if (plan::has_histogram(one.kind)) one.steps = one.greatest = steps;
  }
  return made;
}

inline BoundStatistic population_ranks() {
  BoundStatistic made = weighted_ranks();
  made.weighted.reset();
  made.arguments.pop_back();
  made.histograms = {{0, 0}};
  return made;
}

inline std::vector<noise::Occupied> even_rows(std::int64_t points, std::int64_t rows) {
  std::vector<noise::Occupied> all;
  for (std::int64_t i = 0; i < points; ++i) all.push_back({i, rows});
  return all;
}

// The aggregates of the list whose kind is not among these: each of a column, with 400 rows over all of its values.
inline void add_others(std::vector<Kind>& made, bool of_population) {
  const query::Table table = release_table();
  for (const query::AggregateFacts& asked : query::aggregates) {
    if (!asked.needs_bounds) continue;
    BoundStatistic one = with_columns(by_region(), {0});
    one.inference.of_population = of_population;
    one.arguments.clear(), one.tallies.clear(), one.measurements.clear();
    one.query.aggregations = {{asked.aggregate, query::column(table.columns[1]), "educ"}};
    if (asked.takes_pair) one.query.aggregations.front().other = query::column(table.columns[1]);
    if (!plan::measure(one, 0)) continue;
    const plan::Measured in = plan::measured_at(one, 0);
    const bool is_known = std::any_of(made.begin(), made.end(), [&](const Kind& kind) {
      const auto& all = kind.statistic.measurements;
      return std::any_of(all.begin(), all.end(), [&](const auto& other) { return other.kind == in.one.kind; });
    });
    if (is_known) continue;
    RawGroup group{0, {}, std::vector<std::int64_t>(one.tallies.size())};
    for (std::size_t i = 0; i < in.one.tallies.size(); ++i) {
      for (double x = 1; x <= 16; ++x) {
        group.tallies[in.one.tallies[i]] += 25 * static_cast<std::int64_t>(plan::tally_of_row(in, i, x));
      }
    }
    made.push_back({std::string(asked.sql) + (of_population ? " of a population" : ""), one, group});
  }
}

inline std::vector<Kind> every_kind() {
  constexpr std::int64_t steps = 199;
  const auto histogram = even_rows(steps + 1, 4);
  const BoundStatistic weighted = weighted_by_region();
  const BoundStatistic moments_of_all = mean_of_all({.of_population = true});
  const auto weight_of_row = [](const BoundStatistic& statistic) {
    return statistic.measurements[0].steps * statistic.measurements[0].fineness;
  };
  const std::int64_t row = weight_of_row(spread_by_region()), all_row = weight_of_row(moments_of_all);
  std::vector<Kind> made = {
      {"count, sum, mean", by_region(), {0, {}, {900, 1000, -700, 990, 5000}}},
      {"moments", spread_by_region(), {0, {}, {1000, 300 * row, 200 * row}}},
      {"private keys", by_private_region(), {0, {Value("r")}, {1000, 1000, -700, 990, 5000}}},
      {"distinct values", distinct_by_region(), {0, {}, {700}}},
      {"public count", mean_of_all(), {0, {}, {400, 2900}}},
      {"public count, moments", moments_of_all, {0, {}, {400, 100 * all_row, 90 * all_row}}},
      {"weighted", weighted, quarter_at_the_top(weighted).front()},
      {"quantiles", with_values(ranked(by_region()), steps), {0, {}, {900, 1000, -700, 990, 5000}, {histogram}}},
      {"population quantiles", with_values(population_ranks(), steps), {0, {}, {}, {histogram}}},
      {"weighted quantiles", with_values(weighted_ranks(), steps), {0, {}, {}, {histogram}}},
      {"quantile tree",
       with_values(with_fractions(by_region(), {1, 3, 7, 9}), steps),
       {0, {}, {900, 1000, -700, 990, 5000}, {histogram}}},
  };
  add_others(made, false);
  add_others(made, true);
  for (Kind& kind : made) {
    if (kind.statistic.keys.are_public) kind.statistic.keys.cells.resize(1);
  }
  return made;
}

// So many groups of the same numbers; one where the statistic has no keys.
inline Kind repeated(Kind kind, int count) {
  if (kind.statistic.query.keys.empty() || !kind.statistic.keys.are_public) return kind;
  kind.statistic.keys.cells.clear();
  for (int i = 0; i < count; ++i)
    kind.statistic.keys.cells.push_back({Value(std::string("r").append(std::to_string(i)))});
  return kind;
}

inline std::vector<RawGroup> groups_of(const Kind& kind, int count) {
  if (kind.statistic.query.keys.empty()) return {kind.group};
  std::vector<RawGroup> groups(static_cast<std::size_t>(count), kind.group);
  for (int i = 0; i < count; ++i) {
    RawGroup& group = groups[static_cast<std::size_t>(i)];
    if (kind.statistic.keys.are_public) group.cell = i;
    if (!kind.statistic.keys.are_public) group.keys = {Value(std::string("r").append(std::to_string(i)))};
  }
  return groups;
}

// A plan of one statistic in which every measurement has a scale of its own; choices have one that moves their points
// by some tens.
enum class Additive : std::uint8_t { geometric, discrete_gaussian };
inline plan::Law law_at(Additive additive, double scale) {
  return additive == Additive::geometric ? geometric(scale) : discrete_gaussian(scale);
}
inline plan::Plan plan_of(const BoundStatistic& statistic, Additive additive, double factor = 1) {
  plan::Plan made = release_plan({statistic}, geometric(1), 40);
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const plan::Measurement& one = statistic.measurements[i];
    const bool is_choice = one.kind == plan::Quantile::kind;
    const double place = 1 + 0.37 * static_cast<double>(i);
    const double moves = is_choice ? static_cast<double>(plan::rank_statistic(one)->row_moves()) : 1;
    const double scale = factor * place * (is_choice ? 4 * moves : 7.3);
    made.statistics[0].noise[i].law =
        is_choice ? plan::Law(*noise::Exponential::of(*LaplaceScale::of(scale))) : law_at(additive, scale);
  }
  return made;
}

}  // namespace vernier::testing
