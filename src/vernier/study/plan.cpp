#include "vernier/study/plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "vernier/plan/bind/one_noise.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/query/duckdb/sql.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/series.hpp"

namespace vernier::study {
namespace {

using ledger::Balance;
using ledger::Cost;
using ledger::Rules;

std::vector<LedgerAmount> amounts_of(const Rules& rules, const Balance& balance, const Cost& price, const Cost& once) {
  const ledger::Quanta& quanta = rules.quanta;
  std::vector<LedgerAmount> amounts = {{"epsilon", quanta.epsilon(balance.most.epsilon),
                                        quanta.epsilon(balance.left.epsilon), quanta.epsilon(price.epsilon),
                                        quanta.epsilon(once.epsilon)}};
  if (rules.terms.accountant != ledger::Accountant::pure) {
    amounts.push_back({"delta", quanta.delta(balance.most.delta), quanta.delta(balance.left.delta),
                       quanta.delta(price.delta), quanta.delta(once.delta)});
  }
  return amounts;
}

// Shares are those of the catalog now, which the next release writes down.
Result<Balance> balance_of(const query::Catalog& catalog, const Rules& rules, const std::optional<ledger::Book>& book,
                           const std::string& analyst) {
  const Cost budget = rules.quanta.budget();
  const Balance whole = book ? book->balance() : Balance{budget, false, budget};
  const ledger::Shares shares = release::shares_of(catalog.budget);
  if (analyst.empty() || shares.empty()) return whole;
  return ledger::balance_of(shares, whole, book ? book->spent_by(analyst) : Cost{}, analyst);
}

std::vector<double> accuracies_of(const plan::Plan& plan) {
  std::vector<double> accuracies;
  for (const plan::PlannedStatistic& statistic : plan.statistics) {
    for (const plan::PlannedNoise& noise : statistic.noise) accuracies.push_back(noise.accuracy);
  }
  return accuracies;
}

std::vector<std::vector<double>> accuracies_of_tables(const plan::Plan& plan) {
  std::vector<std::vector<double>> all;
  for (const plan::PlannedTables& tables : plan.tables) all.push_back(tables.accuracies);
  return all;
}

}  // namespace

Result<Plan> Study::plan() const {
  for (const plan::BoundStatistic* const statistic : statements_of(bound)) {
    if (!bound.catalog.engine.portable) break;
    VERNIER_TRY(plan::check_portable(*statistic));
  }
  VERNIER_TRY(plan::Plan content, plan::allocate(bound));
  return Plan(*this, std::move(content));
}

Result<LedgerState> ledger_state(const plan::Plan& plan, const std::string& analyst) {
  const query::Catalog& catalog = plan.study.catalog;
  VERNIER_TRY(const std::optional<ledger::Book> book, release::read_book(catalog));
  VERNIER_TRY(const Rules rules, ledger::rules_of(release::terms_of(catalog)));
  VERNIER_TRY(const Balance balance, balance_of(catalog, rules, book, analyst));
  VERNIER_TRY(const ledger::Price price, release::price_of(plan, rules));
  if (const auto conflict = book ? book->units().conflict(release::units_of(plan.study)) : std::nullopt) {
    return invalid("the ledger '" + release::ledger_name(catalog) + "' " + *conflict);
  }
  const Result<ledger::Offer> found = ledger::offer_of(rules, balance, price);
  const ledger::Offer offer = found.value_or(ledger::Offer{ledger::Manner::total, price.total});
  const bool opens = offer.opening != Cost{};
  return LedgerState{release::ledger_name(catalog),
                     book.has_value(),
                     amounts_of(rules, balance, offer.cost, offer.opening),
                     found.has_value(),
                     offer.manner,
                     opens ? std::optional(offer.room) : std::nullopt};
}

Result<LedgerState> Plan::ledger(const std::string& analyst) const { return ledger_state(content_, analyst); }

Result<std::vector<WhatIf>> Plan::at(const std::vector<privacy::Epsilon>& epsilons, const Progress& progress) const {
  if (epsilons.empty()) return std::vector<WhatIf>();
  VERNIER_TRY(const std::vector<plan::Plan> plans, plan::allocate_at(study_.bound, epsilons, progress));
  std::vector<WhatIf> answers;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    answers.push_back({.epsilon = epsilons[i].value(),
                       .accuracies = accuracies_of(plans[i]),
                       .tables = accuracies_of_tables(plans[i])});
  }
  return answers;
}

namespace {

using plan::BoundStatistic;
using plan::BoundStudy;

constexpr const char* rows_of_unit = "max_rows";

bool has_units(const BoundStudy& study) {
  return std::any_of(study.statistics.begin(), study.statistics.end(),
                     [](const BoundStatistic& one) { return one.table.unit.has_value(); });
}

// The published columns of a study, each with the statistic that it is of.
struct NamedColumn {
  std::size_t statistic;
  std::size_t aggregation;
  std::string name;
};

std::vector<NamedColumn> named_columns(const BoundStudy& study) {
  std::vector<NamedColumn> all;
  for (std::size_t i = 0; i < study.statistics.size(); ++i) {
    const query::Query& query = study.statistics[i].query;
    for (std::size_t j = 0; j < query.aggregations.size(); ++j) {
      if (query.is_shown(j)) all.push_back({i, j, query.aggregations[j].name});
    }
  }
  std::vector<NamedColumn> named = all;
  for (NamedColumn& one : named) {
    const auto is_same = [&](const NamedColumn& other) { return other.name == one.name; };
    const bool is_taken = one.name == "epsilon" || one.name == "delta" || one.name == rows_of_unit;
    if (is_taken || std::count_if(all.begin(), all.end(), is_same) > 1)
      one.name = study.statistics[one.statistic].name + "." + one.name;
  }
  return named;
}

void set_target(BoundStatistic& statistic, std::size_t aggregation, const numeric::Rational& target, bool has_budget) {
  for (plan::Measurement& one : statistic.measurements) {
    if (one.aggregation == aggregation) one.target = target, one.weight.reset();
  }
  for (BoundStatistic& way : statistic.ways) set_target(way, aggregation, target, has_budget);
  std::erase_if(statistic.ways, [&](const BoundStatistic& way) { return !plan::has_one_noise(way, has_budget); });
}

// The study bound anew, with so many rows of a unit where that is a column.
Result<BoundStudy> with_max_rows(const Study& asked, std::int64_t max_rows) {
  query::Study question = asked.question;
  std::vector<query::Query> queries, tables;
  for (std::size_t i = 0; i < question.statistics.size(); ++i) {
    VERNIER_TRY(query::Query query, query::read_query(question.statistics[i].sql, asked.bound.catalog));
    queries.push_back(std::move(query));
    if (asked.bound.statistics[i].table.unit) question.statistics[i].max_rows = max_rows;
  }
  for (query::TableSet& set : question.tables) {
    VERNIER_TRY(query::Query query, query::read_query(set.statement(), asked.bound.catalog));
    tables.push_back(std::move(query));
  }
  return plan::bind(question, asked.bound.catalog, queries, tables);
}

// Where the study names no budget, all of the catalog's epsilon may be spent on its targets, as without this question.
Result<BoundStudy> changed(BoundStudy study, const std::string& key, const numeric::Rational& value) {
  if (key == "delta") {
    const numeric::Rational& epsilon = study.budget ? study.budget->epsilon : study.catalog.budget.epsilon;
    study.budget = query::StudyBudget{epsilon, value};
    return study;
  }
  for (const NamedColumn& one : named_columns(study)) {
    if (one.name != key) continue;
    set_target(study.statistics[one.statistic], one.aggregation, value, study.budget.has_value());
    return study;
  }
  return invalid("the study publishes no column '" + key + "'");
}

// A statistic may then be measured in another way: its columns are found by what they publish.
std::vector<double> accuracies_like(const plan::Plan& like, const plan::Plan& plan) {
  std::vector<double> accuracies;
  for (std::size_t i = 0; i < like.statistics.size(); ++i) {
    const auto& others = plan.study.statistics[i].measurements;
    for (const plan::Measurement& one : like.study.statistics[i].measurements) {
      const auto found = std::find_if(others.begin(), others.end(), [&](const plan::Measurement& other) {
        return other.aggregation == one.aggregation;
      });
      const auto place = static_cast<std::size_t>(found - others.begin());
      accuracies.push_back(found == others.end() ? 0 : plan.statistics[i].noise[place].accuracy);
    }
  }
  return accuracies;
}

}  // namespace

std::vector<std::string> Plan::what_if_keys() const {
  std::vector<std::string> keys = {"epsilon", "delta"};
  if (has_units(study_.bound)) keys.emplace_back(rows_of_unit);
  for (const NamedColumn& one : named_columns(study_.bound)) keys.push_back(one.name);
  return keys;
}

Result<std::vector<WhatIf>> Plan::at_other(const std::string& key, const std::vector<numeric::Rational>& values,
                                           const Progress& progress) const {
  std::vector<WhatIf> answers;
  for (const numeric::Rational& value : values) {
    VERNIER_TRY(const BoundStudy asked, key == rows_of_unit
                                            ? with_max_rows(study_, static_cast<std::int64_t>(nearest(value)))
                                            : changed(study_.bound, key, value));
    VERNIER_TRY(const plan::Plan plan, plan::allocate(asked));
    answers.push_back({plan.epsilon, accuracies_like(content_, plan), key, nearest(value), accuracies_of_tables(plan)});
    if (!progress(static_cast<double>(answers.size()) / static_cast<double>(values.size()))) {
      return fail(ErrorKind::system, "the work was stopped");
    }
  }
  return answers;
}

}  // namespace vernier::study
