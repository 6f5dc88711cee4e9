#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/parameters.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Bound studies made by hand, without SQL. Decimals that are none throw.
namespace vernier::test {

inline numeric::Rational decimal(const std::string& text) { return numeric::Rational::of_decimal(text).value(); }

// A column that gets noise.
struct NoisyColumn {
  std::string name;  // empty: it serves the keys alone
  plan::MeasurementKind kind = plan::Count::kind;
  std::int64_t shift = 1;
  std::int64_t coordinates = 1;
  std::optional<std::string> target = {};
  double granularity = 1;
};

inline plan::Measurement measurement(const NoisyColumn& column, std::optional<std::size_t> aggregation) {
  plan::Measurement made{};
  made.kind = column.kind;
  made.figure = column.kind == plan::Mean::kind      ? plan::Figure::mean
                : column.kind == plan::Moments::kind ? plan::Moments::variance_sample
                : column.kind == plan::Sum::kind     ? plan::Figure::sum
                                                     : plan::Figure::count;
  made.width = column.kind == plan::Mean::kind ? 2 : column.kind == plan::Moments::kind ? 3 : 1;
  made.aggregation = aggregation;
  made.tallies = {0};
  made.granularity = column.granularity;
  made.greatest = 1'000'000;
  made.sensitivity = {column.coordinates,
                      column.shift,
                      plan::Int128{column.shift} * column.coordinates,
                      plan::Int128{column.shift} * column.shift * column.coordinates,
                      column.shift,
                      column.coordinates};
  if (column.target) made.target = decimal(*column.target);
  return made;
}

inline plan::BoundStatistic bound_statistic(const std::string& name, const std::vector<NoisyColumn>& columns,
                                            const std::string& weight = "1") {
  plan::BoundStatistic made{name, {}, {}, {1, 1}, decimal(weight), 1000, {true, {{}}}, {}, {}, {}};
  made.query.table = made.table.name = "people";
  made.tallies = {{plan::TallyKind::rows}};
  for (const NoisyColumn& column : columns) {
    std::optional<std::size_t> published;
    if (!column.name.empty()) {
      published = made.query.aggregations.size();
      made.query.outputs.push_back({false, *published});
      made.query.aggregations.push_back({query::Aggregate::count_rows, std::nullopt, column.name});
    }
    made.measurements.push_back(measurement(column, published));
  }
  return made;
}

// Its first column is that of the units.
inline plan::BoundStatistic with_private_keys(plan::BoundStatistic statistic, std::int64_t max_groups) {
  statistic.keys = {false, {}};
  statistic.contribution.max_groups = max_groups;
  return statistic;
}

struct StudyTerms {
  std::optional<std::string> epsilon = {};  // none: no budget of its own
  std::string delta = "1e-7";
  std::string catalog_epsilon = "10000";
  std::string catalog_delta = "1e-6";
  privacy::Neighbours neighbours = privacy::Neighbours::add_remove;
  double alpha = 0.05;
};

inline plan::BoundStudy bound_study(std::vector<plan::BoundStatistic> statistics, const StudyTerms& terms) {
  query::Catalog catalog{
      "catalog.toml",
      {decimal(terms.catalog_epsilon), decimal(terms.catalog_delta), "catalog.ledger", query::Filter::zcdp},
      {}};
  plan::BoundStudy made{std::move(catalog), Alpha::of(terms.alpha).value(), std::nullopt, terms.neighbours,
                        std::move(statistics)};
  if (terms.epsilon) made.budget = query::StudyBudget{decimal(*terms.epsilon), decimal(terms.delta)};
  return made;
}

inline std::vector<privacy::Epsilon> epsilons(const std::vector<double>& values) {
  std::vector<privacy::Epsilon> made;
  for (const double value : values) made.push_back(*privacy::Epsilon::of(value));
  return made;
}

// So many statistics of a column each, with shifts and copies of any size; a third of them with a target where
// `some_targets`.
inline std::vector<plan::BoundStatistic> any_statistics(Parameters& any, int count, bool some_targets) {
  std::vector<plan::BoundStatistic> made;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    NoisyColumn column{number, plan::Sum::kind, static_cast<std::int64_t>(any.log_uniform(1, 1e6)),
                       static_cast<std::int64_t>(any.log_uniform(1, 20))};
    const double target = static_cast<double>(column.shift) * any.log_uniform(20, 2000);
    if (some_targets && any.uniform(0, 1) < 0.33) column.target = std::to_string(target);
    made.push_back(bound_statistic(number, {column}, std::to_string(any.log_uniform(0.5, 2))));
  }
  return made;
}

}  // namespace vernier::test
