#include "vernier/plan/bind/bind.hpp"

#include <algorithm>

#include "vernier/core/names.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/bind/derived.hpp"
#include "vernier/plan/bind/one_noise.hpp"
#include "vernier/plan/bind/ways.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/statistic/boxed.hpp"
#include "vernier/query/study_alpha.hpp"

namespace vernier::plan {
namespace {

// Places in a study without a file say nothing.
Failure refused(const query::Study& study, query::Place place, Error error) {
  return Failure(study.path.empty() ? std::move(error) : at({study.path.string(), place}, std::move(error)));
}

Failure refused(const query::Study& study, const query::Statistic& asked, Error error) {
  return refused(study, asked.place, about("the statistic '" + asked.name + "'", std::move(error)));
}

Result<Alpha> alpha_of_study(const numeric::Rational& asked) {
  if (query::is_study_alpha(asked)) return Alpha::of(asked.round_down());
  return invalid("alpha of the study",
                 std::string("must be between ") + query::least_study_alpha + " and " + query::greatest_told_alpha +
                     ", but it is " + shortest(asked.round_down()),
                 {});
}

// Where every row is a unit, or each unit has one row of what it has in all, there is nothing to bound.
Contribution contribution_of(const query::Statistic& statistic, const query::Query& query, const query::Table& table) {
  if (!table.unit || (query.per_unit && query.per_unit->keys.size() == 1)) return {1, 1};
  const auto limit = [](const std::optional<std::int64_t>& asked, const std::optional<std::int64_t>& declared) {
    return asked ? *asked : declared.value_or(1);
  };
  return {limit(statistic.max_groups, table.max_groups), limit(statistic.max_rows, table.max_rows)};
}

bool is_key(const query::Query& query, const std::string& name) {
  return std::any_of(query.keys.begin(), query.keys.end(),
                     [&](const query::Key& key) { return fold_case(key.name) == fold_case(name); });
}

std::string fault_of_column(const query::Query& query, const std::string& name, const std::string& what) {
  for (const query::Formula& formula : query.formulas) {
    if (formula.name.empty() || fold_case(formula.name) != fold_case(name)) continue;
    std::string parts;
    for (const std::size_t column : formula.columns()) {
      parts += (parts.empty() ? "'" : "', '") + query.aggregations[column].name;
    }
    return "the column '" + name + "' is made of statistics and has no " + what + " of its own; give one to " +
           (parts.empty() ? "a statistic" : parts + "'") + ", or a budget";
  }
  if (is_key(query, name)) {
    return "the column '" + name + "' is a key, which has no " + what + "; give one to a statistic, or leave it out";
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
  return invalid(fault_of_column(statistic.query, target.column, "accuracy"));
}

Result<void> bind_weight(BoundStatistic& statistic, const query::ColumnWeight& asked) {
  for (Measurement& measurement : statistic.measurements) {
    if (!measurement.aggregation) continue;
    const std::string& name = statistic.query.aggregations[*measurement.aggregation].name;
    if (fold_case(name) != fold_case(asked.column)) continue;
    if (measurement.target) {
      return invalid("the column '" + name +
                     "' has an accuracy, so that its weight says nothing; leave one of both out");
    }
    measurement.weight = asked.weight;
    return {};
  }
  return invalid(fault_of_column(statistic.query, asked.column, "weight"));
}

// A weight says how a budget is shared among columns without an accuracy.
Result<void> check_weight(const BoundStatistic& statistic, const query::Study& study) {
  const auto has_own = [](const Measurement& one) { return one.weight.has_value(); };
  const auto& all = statistic.measurements;
  if (statistic.weight == numeric::Rational::of(1) && std::none_of(all.begin(), all.end(), has_own)) return {};
  const bool is_shared = std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                                     [](const Measurement& one) { return one.aggregation && !one.target; });
  if (is_shared && study.budget) return {};
  return invalid("has a weight, by which columns without an accuracy share a budget, but " +
                 std::string(is_shared ? "the study has none" : "all of its columns have one") +
                 "; leave the weight out");
}

// What is left goes to accuracies that are stated as the least, or to columns that state none: not to both.
Result<void> check_at_least(const BoundStatistic& statistic, const query::Study& study) {
  if (!statistic.at_least) return {};
  if (!study.budget) return invalid("has at_least, but the study has no budget of which anything is left; give it one");
  const auto is_open = [](const query::Statistic& one) { return one.accuracy.empty(); };
  const bool has_open_table = std::any_of(study.tables.begin(), study.tables.end(),
                                          [](const query::TableSet& one) { return one.accuracy.empty(); });
  const bool has_open = has_open_table || std::any_of(study.statistics.begin(), study.statistics.end(), is_open) ||
                        std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                                    [](const Measurement& one) { return one.aggregation && !one.target; });
  if (!has_open) return {};
  return invalid("has at_least, but a column without an accuracy takes what the budget leaves; give it one");
}

Result<BoundStatistic> bind_in_way(const query::Study& study, const query::Statistic& asked, const query::Query& query,
                                   const JoinedTables& joined, const Way& way) {
  const Contribution contribution = contribution_of(asked, query, joined.table);
  const query::Table table = limited(joined, contribution.max_rows);
  Result<Keys> keys = keys_of(query, table);
  if (!keys) return refused(study, asked.sql_place, keys.error());
  BoundStatistic bound{.name = asked.name,
                       .query = query,
                       .table = table,
                       .contribution = contribution,
                       .weight = asked.weight,
                       .typical_rows = asked.typical_rows,
                       .keys = *std::move(keys),
                       .arguments = {},
                       .tallies = {},
                       .measurements = {},
                       .joins = joined.joins,
                       .histograms = {},
                       .inference = asked.inference,
                       .weighted = weight_of(table, asked.inference),
                       .within = {},
                       .apart = way.apart,
                       .is_boxed = way.is_boxed,
                       .rows_by = way.rows_by,
                       .per_unit = joined.per_unit,
                       .alpha = asked.alpha,
                       .seen = asked.seen,
                       .at_least = asked.at_least,
                       .by_coefficient = asked.by_coefficient};
  if (asked.seen && bound.keys.are_public) {
    return refused(study, asked.seen->place,
                   {ErrorKind::invalid, "seen of the statistic '" + asked.name +
                                            "' says which groups are to be published, but its keys are declared, and "
                                            "all of them are; leave it out"});
  }
  if (query.selects_by_numbers()) bound.inference.is_simultaneous = true;
  if (const Result<void> done = check_formulas(bound); !done) return refused(study, asked.sql_place, done.error());
  const bool has_clamped = asked.inference.has_clamped_share;
  if (const Result<void> done = has_clamped ? ask_clamped_counts(bound.query) : Result<void>(); !done)
    return refused(study, asked, done.error());
  if (const Result<void> done = bind_measurements(bound); !done) return refused(study, asked.sql_place, done.error());
  if (has_clamped) name_clamped_counts(bound);
  for (const query::Target& target : asked.accuracy) {
    if (const Result<void> done = bind_target(bound, target); !done) return refused(study, target.place, done.error());
  }
  for (const query::ColumnWeight& weight : asked.weights) {
    if (const Result<void> done = bind_weight(bound, weight); !done) return refused(study, weight.place, done.error());
  }
  if (way.is_boxed && !has_one_noise(bound, study.budget.has_value()))
    return invalid("has columns that one noise does not serve");
  if (const Result<void> done = check_weight(bound, study); !done) return refused(study, asked, done.error());
  if (const Result<void> done = check_at_least(bound, study); !done) return refused(study, asked, done.error());
  if (const Result<void> done = check_inference(bound); !done) return refused(study, asked, done.error());
  return bound;
}

// In the usual way, and beside it in all others that are possible.
Result<BoundStatistic> bind_statistic(const query::Study& study, const query::Statistic& asked,
                                      const query::Query& query, const JoinedTables& joined) {
  VERNIER_TRY(BoundStatistic bound, bind_in_way(study, asked, query, joined, {}));
  for (const Way& way : ways_beside(bound)) {
    Result<BoundStatistic> other = bind_in_way(study, asked, query, joined, way);
    if (other) bound.ways.push_back(*std::move(other));
  }
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

// The table that the first statement is about.
std::optional<query::Table> first_of(const query::Catalog& catalog, const std::vector<query::Query>& queries,
                                     const std::vector<query::Query>& table_queries) {
  const query::Query& first = queries.empty() ? table_queries.front() : queries.front();
  const query::Catalog all = query::with_made(catalog, first.made);
  const query::Table* const found = all.table(first.table);
  return found == nullptr ? std::nullopt : std::optional(*found);
}

Result<BoundTables> bind_table_set(const query::Study& study, const query::TableSet& asked, const query::Query& query,
                                   const query::Catalog& declared, const std::optional<query::Table>& first,
                                   Alpha alpha) {
  const query::Catalog catalog = query::with_made(declared, query.made);
  const auto refuse = [&](Error error) {
    return refused(study, asked.place, about("the table '" + asked.name + "'", std::move(error)));
  };
  const query::Table* const table = catalog.table(query.table);
  if (table == nullptr)
    return refuse({ErrorKind::invalid, "is made of '" + query.table + "', which the catalog has not"});
  if (const Result<void> checked = check_common_unit(first ? *first : *table, *table); !checked)
    return refused(study, asked.place, checked.error());
  if (asked.weight != numeric::Rational::of(1) && (!asked.accuracy.empty() || !study.budget)) {
    return refuse({ErrorKind::invalid, "has a weight, by which what has no accuracy shares a budget, but " +
                                           std::string(asked.accuracy.empty() ? "the study has none" : "it has one") +
                                           "; leave the weight out"});
  }
  const Result<JoinedTables> joined = tables_of(query, *table, catalog);
  if (!joined) return refuse(joined.error());
  Result<BoundTables> bound = bind_tables(asked, query, *joined, alpha);
  if (!bound) return refuse(bound.error());
  return bound;
}

Result<BoundStatistic> bind_asked(const query::Study& study, std::size_t place, const query::Catalog& declared,
                                  const query::Query& query, const std::optional<query::Table>& first) {
  const query::Statistic& asked = study.statistics[place];
  const query::Catalog catalog = query::with_made(declared, query.made);
  const query::Table* const table = catalog.table(query.table);
  if (table == nullptr) {
    return refused(study, asked.sql_place, {ErrorKind::invalid, "the catalog has no table '" + query.table + "'"});
  }
  if (const Result<void> checked = check_common_unit(first ? *first : *table, *table); !checked)
    return refused(study, asked.sql_place, checked.error());
  const Result<JoinedTables> joined = tables_of(query, *table, catalog);
  if (!joined) return refused(study, asked.sql_place, joined.error());
  if (const Result<void> checked = check_population(asked.inference, *table, *joined); !checked)
    return refused(study, asked, checked.error());
  return bind_statistic(study, asked, query, *joined);
}

}  // namespace

bool has_one_noise(const BoundStatistic& statistic, bool has_budget) {
  std::size_t with_target = 0, without = 0;
  for (const Measurement& one : statistic.measurements) {
    if (one.kind != Boxed::kind) continue;
    if (one.weight) return false;
    ++(one.target ? with_target : without);
  }
  return has_budget || with_target == 0 || without == 0;
}

Result<BoundStudy> bind(const query::Study& study, const query::Catalog& catalog,
                        const std::vector<query::Query>& queries, const std::vector<query::Query>& table_queries) {
  const bool is_empty = queries.empty() && table_queries.empty();
  if (is_empty || queries.size() != study.statistics.size() || table_queries.size() != study.tables.size()) {
    return invalid("a study has one query for each of its statistics, and at least one");
  }
  VERNIER_TRY(const Alpha alpha, alpha_of_study(study.alpha));
  const std::optional<query::Table> first = first_of(catalog, queries, table_queries);
  BoundStudy bound{catalog, alpha, study.budget, privacy::Neighbours::add_remove, {}};
  std::vector<Error> errors;
  const auto take = [&](auto& list, auto made) {
    made ? list.push_back(*std::move(made)) : errors.push_back(std::move(made.error()));
  };
  for (std::size_t i = 0; i < queries.size(); ++i)
    take(bound.statistics, bind_asked(study, i, catalog, queries[i], first));
  for (std::size_t i = 0; i < table_queries.size(); ++i) {
    take(bound.tables, bind_table_set(study, study.tables[i], table_queries[i], catalog, first, alpha));
  }
  if (!errors.empty()) return Failure(together(std::move(errors)));
  bound.neighbours = first->neighbours;
  for (std::size_t i = 0; i < bound.statistics.size(); ++i) {
    const Result<void> done = bind_families(bound.statistics, i);
    if (!done) return refused(study, study.statistics[i], done.error());
  }
  bound.is_open = true;
  return bound;
}

const query::Table& first_table(const BoundStudy& study) {
  return study.statistics.empty() ? study.tables.front().counted.table : study.statistics.front().table;
}

std::vector<const BoundStatistic*> statements_of(const BoundStudy& study) {
  std::vector<const BoundStatistic*> all;
  for (const BoundStatistic& one : study.statistics) all.push_back(&one);
  for (const BoundTables& one : study.tables) all.push_back(&one.counted);
  return all;
}

}  // namespace vernier::plan
