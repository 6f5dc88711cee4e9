#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/noisy_studies.hpp"
#include "support/tables.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// Plans made by hand, and an engine that answers what it is told, for tests of what lies between.
namespace vernier::testing {

using engine::RawGroup;
using plan::MeasurementKind;
using plan::TallyKind;
using query::Type;
using query::Value;

// So little noise that a value other than 0 comes up less often than once in 1e21 draws: what is released is exact.
inline plan::Law no_noise() { return *noise::Geometric::of(*LaplaceScale::of(0.02)); }
inline plan::Law geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
inline plan::Law discrete_gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

inline query::Table release_table() {
  query::Table table;
  table.name = "people";
  table.source.path = "people.csv";
  table.row_limit = 1'000'000;
  table.columns = {column_of("region", Type::string),
                   column_of("educ", Type::integer, query::Range{std::int64_t{1}, std::int64_t{16}}),
                   column_of("debt", Type::integer, query::Range{std::int64_t{-50}, std::int64_t{20}})};
  return table;
}

inline plan::Measurement measured(MeasurementKind kind, std::optional<std::size_t> aggregation,
                                  std::vector<std::size_t> tallies, std::int64_t least, std::int64_t greatest) {
  plan::Measurement made = test::measurement({"", kind}, aggregation);
  made.tallies = std::move(tallies);
  made.least = least;
  made.greatest = greatest;
  return made;
}

// SELECT region, COUNT(*) AS n, SUM(debt) AS debt, AVG(educ) AS educ FROM people GROUP BY region. Its tallies are
// units, rows, the sum of debt, the values of educ and their sum over 1.
inline plan::BoundStatistic by_region() {
  const query::Table table = release_table();
  const auto argument = [&](std::size_t i, std::int64_t origin, plan::Steps steps) {
    return plan::Argument{query::column(table.columns[i]), 1, origin, steps, true};
  };
  plan::BoundStatistic made = test::bound_statistic("by region", {});
  made.table = table;
  made.query.keys = {{query::column(table.columns[0]), "region"}};
  made.query.aggregations = {{query::Aggregate::count_rows, std::nullopt, "n"},
                             {query::Aggregate::sum, query::column(table.columns[2]), "debt"},
                             {query::Aggregate::average, query::column(table.columns[1]), "educ"}};
  made.query.outputs = {{true, 0}, {false, 0}, {false, 1}, {false, 2}};
  made.keys = {true, {{Value("south")}, {Value("north")}, {Value("east")}}};
  made.arguments = {argument(2, 0, {-50, 20}), argument(1, 1, {0, 15})};
  made.tallies = {
      {TallyKind::units}, {TallyKind::rows}, {TallyKind::sum, 0}, {TallyKind::values, 1}, {TallyKind::sum, 1}};
  made.measurements = {measured(plan::Count::kind, 0, {1}, 0, 1'000'000),
                       measured(plan::Sum::kind, 1, {2}, -50'000'000, 20'000'000),
                       measured(plan::Mean::kind, 2, {3, 4}, 0, 15'000'000)};
  made.measurements[2].origin = 1;
  made.measurements[2].steps = 15;
  return made;
}

// SELECT region, STDDEV(educ) AS sd, AVG(educ) AS mean, VAR_POP(educ) AS var, COUNT(educ) AS n, SUM(educ) AS total FROM
// people GROUP BY region: one measurement for all of them. Its tallies are the values of educ and the sums of its
// squares from above and from below.
inline plan::BoundStatistic spread_by_region() {
  plan::BoundStatistic made = by_region();
  const std::int64_t fineness = plan::moment_fineness(15, made.table.row_limit, 1);
  const plan::Argument educ = made.arguments[1];
  const auto squared = [&](bool is_from_above) {
    plan::Argument square = educ;
    square.square = plan::Argument::Square{15, fineness, is_from_above};
    square.steps.upper = 15 * fineness;
    return square;
  };
  made.arguments = {squared(true), squared(false)};
  made.tallies = {{TallyKind::values, 1}, {TallyKind::sum, 0}, {TallyKind::sum, 1}};
  const std::vector<std::pair<const char*, plan::Figure>> columns = {{"sd", plan::Moments::deviation_sample},
                                                                     {"mean", plan::Figure::mean},
                                                                     {"var", plan::Moments::variance_population},
                                                                     {"n", plan::Figure::count},
                                                                     {"total", plan::Figure::sum}};
  made.query.aggregations.clear();
  made.query.outputs = {{true, 0}};
  made.measurements.clear();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    plan::Measurement one = measured(plan::Moments::kind, i, {0, 1, 2}, 0, 1'000'000 * 15 * fineness);
    one.figure = columns[i].second;
    one.origin = 1;
    one.steps = 15;
    one.fineness = fineness;
    if (i > 0) one.source = 0, one.width = 0;
    made.measurements.push_back(one);
    made.query.aggregations.push_back(
        {has_fixed_margin(one.figure) ? query::Aggregate::sum : query::Aggregate::deviation_sample, educ.expression,
         columns[i].first});
    made.query.outputs.push_back({false, i});
  }
  return made;
}

// The same with keys that are found in the data; COUNT(*) is the number of units by which they are chosen.
inline plan::BoundStatistic by_private_region() {
  plan::BoundStatistic made = test::with_private_keys(by_region(), 1);
  made.measurements[0] = measured(plan::Units::kind, 0, {0}, 0, 1'000'000);
  return made;
}

// One law for all measurements.
inline plan::PlannedStatistic planned(const plan::BoundStatistic& statistic, const plan::Law& law,
                                      std::int64_t threshold) {
  plan::PlannedStatistic made;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) made.noise.push_back({law, 1, 1, 1});
  if (!statistic.keys.are_public) made.keys = plan::KeyPlan{threshold, 1e-8, {}};
  return made;
}

inline plan::Plan release_plan(std::vector<plan::BoundStatistic> statistics, const plan::Law& law,
                               std::int64_t threshold = 10) {
  std::vector<plan::PlannedStatistic> all;
  for (const plan::BoundStatistic& one : statistics) all.push_back(planned(one, law, threshold));
  return {test::bound_study(std::move(statistics), {"1"}),
          std::move(all),
          {},
          *privacy::Delta::of(1e-7),
          1.0,
          accounting::Method::loss_distribution};
}

// A stand-in for an engine, which answers with these groups, statement by statement.
class ToldSession : public engine::Session {
 public:
  explicit ToldSession(std::vector<std::vector<RawGroup>> answers) : answers_(std::move(answers)) {}

  plan::BoundingForm form(const plan::BoundStatistic&) const override { return plan::BoundingForm::rows; }
  std::string version() const override { return "Told 1"; }

  Result<engine::RawAggregates> run(const plan::Sql& sql, const engine::Secret& secret,
                                    const Progress& progress) override {
    statements.push_back(sql.text);
    secrets.push_back(secret);
    before_answer();
    if (!progress(0.5)) return engine::stopped_run();
    if (failure) return fail(ErrorKind::system, *failure);
    return engine::RawAggregates(answers_[(statements.size() - 1) % answers_.size()]);
  }

  std::vector<std::string> statements;
  std::vector<engine::Secret> secrets;
  std::function<void()> before_answer = [] {};
  std::optional<std::string> failure;

 private:
  std::vector<std::vector<RawGroup>> answers_;
};

}  // namespace vernier::testing
