#pragma once

#include <vector>

#include "support/inferred_releases.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Statistics of a population of weighted rows.
namespace vernier::testing {

inline plan::Argument weighted(plan::Argument argument, const plan::SurveyWeight& weight, std::int64_t total) {
  query::Column column;
  column.name = weight.column;
  column.type = query::Type::real;
  column.range = query::Range{0.0, 4.0};
  argument.weight = plan::Argument::Weight{query::column(column), weight.granularity, total};
  argument.steps.upper *= weight.heaviest;
  return argument;
}

// COUNT(*) AS people, behind the other columns.
inline void add_count(BoundStatistic& made, const plan::SurveyWeight& weight) {
  const plan::Argument one{made.arguments.back().weight->column, 1, 0, {0, 1}, false};
  made.arguments.push_back(weighted(one, weight, 1));
  made.tallies.push_back({plan::TallyKind::sum, made.arguments.size() - 1});
  const std::size_t place = made.query.aggregations.size();
  made.measurements.push_back(
      measured(plan::Count::kind, place, {made.tallies.size() - 1}, 0, made.table.row_limit * weight.heaviest));
  made.query.aggregations.push_back({query::Aggregate::count_rows, std::nullopt, "people"});
  made.query.outputs.push_back({false, place});
}

// SELECT region, STDDEV(educ) AS sd, AVG(educ) AS mean, VAR_POP(educ) AS var, SUM(educ) AS total, COUNT(*) AS people
// FROM people GROUP BY region, of the population, weighted by w, from 0 to 4 in steps of 0.5.
inline BoundStatistic weighted_by_region() {
  BoundStatistic made = spread_without_count();
  made.inference.of_population = true;
  const plan::SurveyWeight weight{"w", 0.5, 8};
  made.weighted = weight;
  const std::int64_t fineness = plan::node_fineness(made, 15);
  for (plan::Argument& argument : made.arguments) {
    argument.square->fineness = fineness;
    argument.steps.upper = 15 * fineness;
    argument = weighted(argument, weight, 1);
  }
  plan::Argument total{made.arguments[0].expression, 1, 0, {0, 15 * fineness}, false};
  made.arguments.push_back(weighted(total, weight, 15 * fineness));
  made.tallies = {{plan::TallyKind::sum, 2}, {plan::TallyKind::sum, 0}, {plan::TallyKind::sum, 1}};
  for (plan::Measurement& one : made.measurements) {
    one.fineness = fineness;
    one.greatest = made.table.row_limit * 15 * fineness * weight.heaviest;
  }
  add_count(made, weight);
  return made;
}

// In every group 4,000 steps of weight: a quarter of them at the upper bound, the others at the lower one. And rows of
// 100 more that have no educ.
inline std::vector<RawGroup> quarter_at_the_top(const BoundStatistic& statistic) {
  const std::int64_t weight = 15 * statistic.measurements.front().fineness;
  std::vector<RawGroup> groups;
  for (std::size_t i = 0; i < statistic.keys.cells.size(); ++i) {
    groups.push_back({static_cast<std::int64_t>(i), {}, {4000 * weight, 3000 * weight, 1000 * weight, 4100}});
  }
  return groups;
}

inline plan::Argument weight_of(const plan::SurveyWeight& weight) {
  query::Column column;
  column.name = weight.column;
  column.type = query::Type::real;
  column.range = query::Range{0.0, 4.0};
  return {query::column(column), weight.granularity, 0, {0, weight.heaviest}};
}

inline plan::Measurement weighted_quantile(query::Fraction fraction, std::size_t aggregation) {
  plan::Measurement made = measured(plan::Quantile::kind, aggregation, {0}, 0, 15);
  made.figure = plan::Quantile::quantile;
  made.fraction = fraction;
  made.absorbs_sample = true;
  made.width = 2;
  made.origin = 1;
  made.steps = 15;
  return made;
}

// SELECT region, MEDIAN(educ) AS m, QUANTILE(educ, 0.9) AS q FROM people GROUP BY region, of the population, weighted
// by w, from 0 to 4 in steps of 0.5.
inline BoundStatistic weighted_ranks() {
  BoundStatistic made = by_region();
  const query::Expression educ = made.query.aggregations[2].argument.value();
  made.inference.of_population = true;
  made.weighted = plan::SurveyWeight{"w", 0.5, 8};
  made.table.row_limit = 10'000;
  made.arguments = {made.arguments[1], weight_of(*made.weighted)};
  made.tallies.clear();
  made.histograms = {{0, 0, 1}};
  made.measurements = {weighted_quantile({1, 2}, 0), weighted_quantile({9, 10}, 1)};
  made.query.aggregations = {{query::Aggregate::quantile, educ, "m"}, {query::Aggregate::quantile, educ, "q"}};
  made.query.outputs = {{true, 0}, {false, 0}, {false, 1}};
  return made;
}

}  // namespace vernier::testing
