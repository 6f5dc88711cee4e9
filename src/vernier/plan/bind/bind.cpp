#include "vernier/plan/bind/bind.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {
namespace {

// Places in a study without a file say nothing.
Failure refused(const query::Study& study, query::Place place, Error error) {
  return Failure(study.path.empty() ? std::move(error) : at({study.path.string(), place}, std::move(error)));
}

Failure refused(const query::Study& study, const query::Statistic& asked, Error error) {
  return refused(study, asked.place, about("the statistic '" + asked.name + "'", std::move(error)));
}

// Where every row is a unit, there is nothing to bound.
Contribution contribution_of(const query::Statistic& statistic, const query::Table& table) {
  if (!table.unit) return {1, 1};
  return {statistic.max_groups, statistic.max_rows};
}

bool is_key(const query::Query& query, const std::string& name) {
  return std::any_of(query.keys.begin(), query.keys.end(),
                     [&](const query::Key& key) { return fold_case(key.name) == fold_case(name); });
}

std::string fault_of_target(const query::Query& query, const std::string& name) {
  if (is_key(query, name)) {
    return "the column '" + name + "' is a key, which has no accuracy; give one to a statistic, or leave it out";
  }
  std::vector<std::string> names;
  for (const query::Aggregation& aggregation : query.aggregations) names.push_back(aggregation.name);
  return "the statement publishes no column '" + name + "'" + suggestion(name, names) +
         "; write the name behind AS, such as '" + names.front() + "'";
}

Result<void> bind_target(BoundStatistic& statistic, const query::Target& target) {
  for (Measurement& measurement : statistic.measurements) {
    if (!measurement.aggregation) continue;
    const std::string& name = statistic.query.aggregations[*measurement.aggregation].name;
    if (fold_case(name) != fold_case(target.column)) continue;
    measurement.target = target.accuracy;
    return {};
  }
  return invalid(fault_of_target(statistic.query, target.column));
}

Result<BoundStatistic> bind_statistic(const query::Study& study, const query::Statistic& asked,
                                      const query::Query& query, const JoinedTables& joined) {
  const query::Table& table = joined.table;
  Result<Keys> keys = keys_of(query, table);
  if (!keys) return refused(study, asked.sql_place, keys.error());
  BoundStatistic bound{.name = asked.name,
                       .query = query,
                       .table = table,
                       .contribution = contribution_of(asked, table),
                       .weight = asked.weight,
                       .typical_rows = asked.typical_rows,
                       .keys = *std::move(keys),
                       .arguments = {},
                       .tallies = {},
                       .measurements = {},
                       .joins = joined.joins,
                       .histograms = {},
                       .inference = asked.inference,
                       .weighted = weight_of(table, asked.inference)};
  const bool has_clamped = asked.inference.has_clamped_share;
  if (const Result<void> done = has_clamped ? ask_clamped_counts(bound.query) : Result<void>(); !done)
    return refused(study, asked, done.error());
  if (const Result<void> done = bind_measurements(bound); !done) return refused(study, asked.sql_place, done.error());
  if (has_clamped) name_clamped_counts(bound);
  for (const query::Target& target : asked.accuracy) {
    if (const Result<void> done = bind_target(bound, target); !done) return refused(study, target.place, done.error());
  }
  if (const Result<void> done = check_inference(bound); !done) return refused(study, asked, done.error());
  return bound;
}

std::string unit_of(const query::Table& table) { return table.unit ? fold_case(*table.unit) : "row"; }

// One guarantee is about one kind of unit.
Result<void> check_common_unit(const query::Table& first, const query::Table& other) {
  const auto differ = [&](const std::string& word, const std::string& a, const std::string& b) {
    return invalid("the table '" + other.name + "' has " + word + " " + b + " and the table '" + first.name + "' " + a +
                   ", but a study gives one guarantee; make two studies of it");
  };
  if (first.unit.has_value() != other.unit.has_value() || unit_of(first) != unit_of(other)) {
    return differ("the unit", first.unit.value_or("row"), other.unit.value_or("row"));
  }
  if (first.neighbours == other.neighbours) return {};
  return differ("neighbours", std::string(name_of(first.neighbours)), std::string(name_of(other.neighbours)));
}

Result<BoundStatistic> bind_asked(const query::Study& study, std::size_t place, const query::Catalog& catalog,
                                  const std::vector<query::Query>& queries) {
  const query::Statistic& asked = study.statistics[place];
  const query::Query& query = queries[place];
  const query::Table* const table = catalog.table(query.table);
  if (table == nullptr) {
    return refused(study, asked.sql_place, {ErrorKind::invalid, "the catalog has no table '" + query.table + "'"});
  }
  const query::Table* const first = catalog.table(queries.front().table);
  if (const Result<void> checked = check_common_unit(first != nullptr ? *first : *table, *table); !checked)
    return refused(study, asked.sql_place, checked.error());
  const Result<JoinedTables> joined = join_tables(*table, query.joins, catalog);
  if (!joined) return refused(study, asked.sql_place, joined.error());
  return bind_statistic(study, asked, query, *joined);
}

}  // namespace

Result<BoundStudy> bind(const query::Study& study, const query::Catalog& catalog,
                        const std::vector<query::Query>& queries) {
  if (queries.empty() || queries.size() != study.statistics.size()) {
    return invalid("a study has one query for each of its statistics, and at least one");
  }
  VERNIER_TRY(const Alpha alpha, Alpha::of(study.alpha.round_down()));
  BoundStudy bound{catalog, alpha, study.budget, privacy::Neighbours::add_remove, {}};
  std::vector<Error> errors;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Result<BoundStatistic> statistic = bind_asked(study, i, catalog, queries);
    if (statistic) {
      bound.statistics.push_back(*std::move(statistic));
    } else {
      errors.push_back(std::move(statistic.error()));
    }
  }
  if (!errors.empty()) return Failure(together(std::move(errors)));
  bound.neighbours = catalog.table(queries.front().table)->neighbours;
  for (std::size_t i = 0; i < bound.statistics.size(); ++i) {
    const Result<void> done = bind_families(bound.statistics, i);
    if (!done) return refused(study, study.statistics[i], done.error());
  }
  return bound;
}

std::vector<query::Column> BoundJoin::brought() const {
  std::vector<query::Column> columns;
  std::copy_if(table.columns.begin(), table.columns.end(), std::back_inserter(columns), [&](const query::Column& one) {
    return std::none_of(right.begin(), right.end(), [&](const query::Column& key) { return key.name == one.name; });
  });
  return columns;
}

Result<JoinedTables> join_tables(const query::Table& table, const std::vector<query::Join>& joins,
                                 const query::Catalog& catalog) {
  JoinedTables made{table, {}};
  for (const query::Join& join : joins) {
    const query::Table* const right = catalog.public_table(join.table);
    if (right == nullptr) return invalid("the catalog has no public table '" + join.table + "'");
    if (join.columns.empty()) return invalid("a join needs the columns of USING");
    std::string fault = query::fault_of_join(made.table, *right, join.columns);
    if (!fault.empty()) return invalid(std::move(fault));
    BoundJoin bound{*right, {}, {}, join.keeps_all};
    for (const std::string& name : join.columns) {
      bound.left.push_back(*made.table.column(name));
      bound.right.push_back(*right->column(name));
    }
    made.table = query::joined(std::move(made.table), *right, join.columns);
    made.joins.push_back(std::move(bound));
  }
  return made;
}

}  // namespace vernier::plan
