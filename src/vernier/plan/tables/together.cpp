#include "vernier/plan/tables/together.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "vernier/table/design.hpp"

namespace vernier::plan {
namespace {

bool same_rows(const BoundTables& a, const BoundTables& b) {
  const BoundStatistic &x = a.counted, &y = b.counted;
  return x.query.table == y.query.table && x.query.made == y.query.made && x.query.filter == y.query.filter &&
         x.joins.empty() && y.joins.empty() && !x.per_unit && !y.per_unit &&
         x.contribution.max_rows == y.contribution.max_rows && a.rest == b.rest;
}

// All tables of both over the columns of both, each with the least of its variances.
struct Together {
  struct Column {
    const query::Expression* place;  // of a row's key among the column's
    const TableColumn* column;
  };
  std::vector<Column> columns;
  std::map<table::Columns, double> variances;

  void add(const BoundTables& tables, const PlannedTables& planned) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < tables.columns.size(); ++i)
      places.push_back(place_of(tables.counted.query.keys[i].expression, tables.columns[i]));
    for (std::size_t i = 0; i < planned.deviations.size(); ++i) {
      table::Columns set;
      for (const std::size_t column : tables.lattice->tables()[i]) set.push_back(places[column]);
      std::ranges::sort(set);
      const double variance = planned.deviations[i] * planned.deviations[i];
      const auto [known, is_new] = variances.try_emplace(set, variance);
      if (!is_new) known->second = std::min(known->second, variance);
    }
  }

  std::size_t place_of(const query::Expression& place, const TableColumn& column) {
    const auto found = std::ranges::find_if(
        columns, [&](const Column& one) { return *one.place == place && one.column->keys == column.keys; });
    const auto at = static_cast<std::size_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back({&place, &column});
    return at;
  }
};

double own_cost(const BoundTables& tables, const PlannedTables& planned) {
  return table::cost_of(*tables.lattice, table::squares_of(*tables.lattice, planned.laws));
}

}  // namespace

std::optional<double> cost_together(const BoundTables& a, const PlannedTables& planned_a, const BoundTables& b,
                                    const PlannedTables& planned_b) {
  Together both;
  both.add(a, planned_a);
  both.add(b, planned_b);
  std::vector<std::int64_t> keys;
  for (const Together::Column& one : both.columns) keys.push_back(static_cast<std::int64_t>(one.column->keys.size()));
  std::vector<table::Columns> sets;
  std::vector<double> targets;
  for (const auto& [set, variance] : both.variances) {
    sets.push_back(set);
    targets.push_back(variance);
  }
  const auto lattice = table::Lattice::of(std::move(keys), std::move(sets));
  if (!lattice) return std::nullopt;
  return table::design_for(*lattice, targets).cost / (own_cost(a, planned_a) + own_cost(b, planned_b));
}

std::vector<std::string> notes_on_shared_rows(const Plan& plan) {
  constexpr double worth_telling = 0.95;  // of epsilon, which is about the root of the cost
  std::vector<std::string> sentences;
  const std::vector<BoundTables>& all = plan.study.tables;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (!same_rows(all[i], all[j])) continue;
      const auto part = cost_together(all[i], plan.tables[i], all[j], plan.tables[j]);
      if (!part || std::sqrt(*part) > worth_telling) continue;
      const auto saved = std::llround(100 * (1 - std::sqrt(*part)));
      sentences.push_back("the tables '" + all[i].name + "' and '" + all[j].name +
                          "' are of the same rows and measure twice what they share: one [[table]] with the columns "
                          "and the tables of both needs about " +
                          std::to_string(saved) + " % less epsilon for these two");
    }
  }
  return sentences;
}

}  // namespace vernier::plan
