#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/release_plans.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/record/release_json.hpp"
#include "vernier/release/run/run_with.hpp"

// Releases with their records, from plans that the planner made, without data and without a ledger.
namespace vernier::testing {

using plan::BoundStatistic;
using privacy::Neighbours;

// With the sensitivities that follow from bounds and contributions.
inline BoundStatistic sensitive(BoundStatistic statistic, Neighbours neighbours) {
  statistic.table.neighbours = neighbours;
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    statistic.measurements[i].sensitivity = plan::sensitivity_of(plan::measured_at(statistic, i)).value();
  }
  return statistic;
}

// Those of the statistic's columns that are named.
inline BoundStatistic with_columns(BoundStatistic statistic, const std::vector<std::size_t>& columns) {
  BoundStatistic made = statistic;
  made.query.aggregations.clear();
  made.query.outputs = {{true, 0}};
  made.measurements.clear();
  if (!statistic.keys.are_public && (columns.empty() || columns.front() != 0)) {
    made.measurements.push_back(statistic.measurements.front());  // it serves the keys alone
    made.measurements.back().aggregation.reset();
  }
  for (const std::size_t column : columns) {
    made.query.outputs.push_back({false, made.query.aggregations.size()});
    made.measurements.push_back(statistic.measurements[column]);
    made.measurements.back().aggregation = made.query.aggregations.size();
    made.query.aggregations.push_back(statistic.query.aggregations[column]);
  }
  return made;
}

struct ReleaseTerms {
  test::StudyTerms study = {.epsilon = "1"};
  ledger::Accountant accountant = ledger::Accountant::zcdp;
  std::uint64_t seed = 1;
  bool is_open = false;  // whether something was charged by divergence before
};

// Units, rows, the sum of debt, values of educ and their sum over 1; or values of educ and their sums of squares.
inline std::vector<RawGroup> raw_groups(const BoundStatistic& statistic) {
  const bool has_squares = statistic.measurements.back().kind == MeasurementKind::moments;
  const std::vector<std::vector<std::int64_t>> tallies =
      has_squares ? std::vector<std::vector<std::int64_t>>{{500, 230'625, 118'125}, {299, 100'000, 90'000}, {0, 0, 0}}
                  : std::vector<std::vector<std::int64_t>>{
                        {400, 500, -4000, 500, 3000}, {300, 300, 2500, 299, 300}, {2, 2, 40, 0, 0}};
  const std::vector<const char*> names = {"west\n'end'", "north \"pole\"", "a"};
  std::vector<RawGroup> groups;
  const std::size_t count = statistic.keys.are_public ? statistic.keys.cells.size() : tallies.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (statistic.keys.are_public) groups.push_back({static_cast<std::int64_t>(i), {}, tallies[i]});
    if (!statistic.keys.are_public) groups.push_back({0, {Value(names[i])}, tallies[i]});
  }
  return groups;
}

using Answers = std::function<std::vector<RawGroup>(const BoundStatistic&)>;

inline release::Release released(std::vector<BoundStatistic> statistics, const ReleaseTerms& terms,
                                 const Answers& answer = raw_groups) {
  std::vector<std::vector<RawGroup>> answers;
  for (BoundStatistic& one : statistics) {
    one = sensitive(std::move(one), terms.study.neighbours);
    answers.push_back(answer(one));
  }
  const plan::Plan plan = plan::allocate(test::bound_study(std::move(statistics), terms.study)).value();
  ToldSession session(answers);
  SeededSource source = seeded_source(terms.seed);
  const std::vector<release::Prepared> prepared = release::prepare(plan, session).value();
  const query::Budget& budget = plan.study.catalog.budget;
  const ledger::Terms of_ledger{terms.accountant, budget.epsilon, budget.delta, terms.study.neighbours};
  const ledger::Rules rules = ledger::rules_of(of_ledger).value();
  const ledger::Price price = release::price_of(plan, rules).value();
  const ledger::Balance balance{rules.quanta.budget(), terms.is_open, rules.quanta.budget()};
  std::vector<release::Table> tables = release::detail::tables_of(prepared, session, source, nobody_watches).value();
  static_cast<void>(release::Derivation::of(plan).value().add_to(tables).map([] { return true; }).value());
  return {.id = std::string(32, 'a'),
          .plan = plan,
          .tables = std::move(tables),
          .receipt = {2, std::string(64, 'b')},
          .terms = of_ledger,
          .taken = ledger::offer_of(rules, balance, price).value(),
          .catalog_hash = std::string(64, 'c'),
          .plan_hash = sha256(plan::canonical(plan)).value(),
          .engine = session.version()};
}

inline release::Asked asked_of(const release::Release& release) {
  std::vector<std::string> sql(release.tables.size(), "SELECT \"a\\b\"\n");
  const numeric::Rational alpha = numeric::Rational::of(release.plan.study.alpha.value()).value();
  return {"a study", std::move(sql), alpha};
}

inline const release::SigningKey& test_key() {
  static const release::SigningKey key = release::SigningKey::generate().value();
  return key;
}

inline std::string record_of(const release::Release& release) {
  return release::signed_release_json(release, asked_of(release), test_key()).value();
}

// One of every kind.
struct NamedRelease {
  std::string name;
  release::Release release;
};
inline std::vector<NamedRelease> made_kinds_of_releases() {
  const BoundStatistic all = by_region(), private_ones = by_private_region();
  BoundStatistic several = private_ones;  // two rows of a unit count in each of three groups
  several.contribution = {3, 2};
  BoundStatistic targeted = with_columns(all, {0, 1});
  targeted.measurements[0].target = test::decimal("40");
  ReleaseTerms replace, catalog, pure;
  replace.study.neighbours = Neighbours::replace;
  replace.accountant = ledger::Accountant::approximate;
  catalog.study.epsilon.reset();
  catalog.is_open = true;
  pure.study.delta = "0";
  pure.study.catalog_delta = "0";
  pure.accountant = ledger::Accountant::pure;
  BoundStatistic only_targets = with_columns(all, {0});
  only_targets.measurements[0].target = test::decimal("25");
  release::Release joined = released({only_targets}, catalog);
  joined.public_files = {{"regions", std::string(64, 'd')}};
  return {{"counts", released({with_columns(all, {0})}, pure)},
          {"sums", released({targeted}, {})},
          {"means", released({with_columns(all, {2, 0})}, {})},
          {"private keys", released({private_ones}, {})},
          {"private keys, units not published", released({with_columns(several, {2, 1})}, {})},
          {"replace", released({all, private_ones}, replace)},
          {"budget of the catalog, and a public table", joined},
          {"spreads", released({spread_by_region(), with_columns(all, {0})}, {})}};
}

inline const std::vector<NamedRelease>& kinds_of_releases() {
  static const std::vector<NamedRelease> made = made_kinds_of_releases();
  return made;
}
inline const release::Release& kind_of_release(const std::string& name) {
  const auto& all = kinds_of_releases();
  return std::find_if(all.begin(), all.end(), [&](const NamedRelease& one) { return one.name == name; })->release;
}

// Six of them with one group each, so that all of their bits can be looked at.
inline BoundStatistic one_group(BoundStatistic statistic) {
  if (statistic.keys.are_public) statistic.keys.cells.resize(1);
  return statistic;
}
inline std::vector<NamedRelease> small_releases() {
  const BoundStatistic all = by_region(), private_ones = by_private_region();
  ReleaseTerms replace;
  replace.study.neighbours = Neighbours::replace;
  return {{"count", released({one_group(with_columns(all, {0}))}, {})},
          {"sum", released({one_group(with_columns(all, {1}))}, {})},
          {"mean", released({one_group(with_columns(all, {2}))}, {})},
          {"deviation", released({one_group(spread_by_region())}, {})},
          {"private keys", released({with_columns(private_ones, {0})}, {})},
          {"replace", released({one_group(with_columns(all, {1}))}, replace)}};
}

}  // namespace vernier::testing
