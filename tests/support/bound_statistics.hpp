#pragma once

#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "vernier/plan/bound_study.hpp"
#include "vernier/query/duckdb_query.hpp"

namespace vernier::testing {

// What `bind` makes of a statement, as far as rendering and running need it: arguments, tallies and keys, the first
// tally being that of units. No bound is checked, and there are no measurements.
class Binder {
 public:
  Binder(const std::string& sql, const query::Catalog& catalog, plan::Contribution contribution, plan::Keys keys)
      : statistic_{"statistic",
                   read(sql, catalog),
                   catalog.tables.front(),
                   contribution,
                   numeric::Rational::of(1),
                   1,
                   std::move(keys),
                   {},
                   {},
                   {}} {
    statistic_.tallies.push_back({plan::TallyKind::units});
    for (const query::Aggregation& aggregation : statistic_.query.aggregations) add(aggregation);
  }

  const plan::BoundStatistic& statistic() const { return statistic_; }

 private:
  static query::Query read(const std::string& sql, const query::Catalog& catalog) {
    const Result<query::Query> query = query::read_query(sql, catalog);
    if (!query) throw std::runtime_error(query.error().sentence);
    return *query;
  }

  static plan::Steps steps_of(const query::Expression& x) {
    if (const auto* const span = std::get_if<query::IntegerSpan>(&x.span()))
      return {static_cast<std::int64_t>(span->lower), static_cast<std::int64_t>(span->upper)};
    const auto& span = std::get<query::RealSpan>(x.span());
    const auto step = [](double value) { return static_cast<std::int64_t>(std::floor(value + 0.5)); };
    return {step(span.lower), step(span.upper)};
  }

  // Reals have a granularity of 1 here.
  std::size_t argument(const query::Expression& x, bool is_number, bool from_lower) {
    plan::Argument argument{x, 1, 0, {0, 0}, is_number};
    if (is_number) argument.steps = steps_of(x);
    if (from_lower) {
      argument.origin = argument.steps.lower;
      argument.steps = {0, argument.steps.upper - argument.origin};
    }
    statistic_.arguments.push_back(argument);
    return statistic_.arguments.size() - 1;
  }

  void add(const query::Aggregation& aggregation) {
    using plan::TallyKind;
    switch (aggregation.aggregate) {
      case query::Aggregate::count_rows:
        return statistic_.tallies.push_back({TallyKind::rows});
      case query::Aggregate::count:
        return statistic_.tallies.push_back({TallyKind::values, argument(*aggregation.argument, false, false)});
      case query::Aggregate::sum:
        return statistic_.tallies.push_back({TallyKind::sum, argument(*aggregation.argument, true, false)});
      case query::Aggregate::average: {
        const std::size_t number = argument(*aggregation.argument, true, true);
        statistic_.tallies.push_back({TallyKind::values, number});
        return statistic_.tallies.push_back({TallyKind::sum, number});
      }
    }
  }

  plan::BoundStatistic statistic_;
};

inline plan::BoundStatistic bound(const std::string& sql, const query::Catalog& catalog,
                                  plan::Contribution contribution, plan::Keys keys) {
  return Binder(sql, catalog, contribution, std::move(keys)).statistic();
}

// Public keys of one column.
inline plan::Keys public_keys(const std::vector<query::Value>& values) {
  plan::Keys keys;
  for (const query::Value& value : values) keys.cells.push_back({value});
  return keys;
}
inline plan::Keys no_keys() { return {true, {{}}}; }
inline plan::Keys private_keys() { return {false, {}}; }

}  // namespace vernier::testing
