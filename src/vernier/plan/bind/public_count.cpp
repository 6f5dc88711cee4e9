#include "vernier/plan/bind/public_count.hpp"

#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/nodes.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;
using query::Expression;
using query::Operation;

// The declared column that the argument is, where the steward says that no row lacks it.
const query::Column* complete_column(const Expression& x, const query::Table& table) {
  if (x.operation() != Operation::column) return nullptr;
  const query::Column* const column = table.column(x.column_name());
  return column != nullptr && column->never_null && column->range ? column : nullptr;
}

// What would share node sums with the mean, as nodes_for has it.
bool shares_sums(const Aggregation& other) {
  const Aggregate one = other.aggregate;
  return one == Aggregate::count || one == Aggregate::sum ||
         (one >= Aggregate::variance_sample && one <= Aggregate::deviation_population);
}

// Of a population the share of one of two values has an exact interval from noisy counts, at the same price.
bool is_share_of_population(const BoundStatistic& statistic, const Expression& x) {
  if (!statistic.inference.of_population) return false;
  const Result<Argument> made = averaged(x, statistic.table);
  return made && made->steps.upper == 1;
}

// With a value in every row, whatever stands in it: a declaration is not believed, but made true.
Result<Argument> complete(const Expression& x, const query::Table& table) {
  Result<Argument> made = averaged(x, table);
  const query::Column* const column = complete_column(x, table);
  if (!made || column == nullptr) return made;
  return apply(Operation::coalesce, {x, query::literal(column->range->lower)}).map([&](const Expression& whole) {
    made->expression = whole;
    return *made;
  });
}

Measurement started(MeasurementKind kind, const Argument& x) {
  return {.kind = kind,
          .figure = Figure::mean,
          .aggregation = {},
          .tallies = {},
          .granularity = x.granularity,
          .origin = x.origin,
          .steps = x.steps.upper,
          .sensitivity = {},
          .target = {}};
}

Measurement of_rows(BoundStatistic& statistic, const Argument& x) {
  Places places(statistic);
  Measurement made = started(MeasurementKind::public_mean, x);
  made.width = 2;
  made.tallies = {places.tally({TallyKind::rows}), places.tally({TallyKind::sum, places.argument(x)})};
  made.greatest = statistic.table.row_limit * made.steps;
  return made;
}

Measurement of_population(BoundStatistic& statistic, const Argument& x) {
  Places places(statistic);
  Measurement made = started(MeasurementKind::public_moments, x);
  made.width = 4;
  made.fineness = moment_fineness(made.steps, statistic.table.row_limit, statistic.contribution.max_rows);
  const std::size_t above = places.argument(squared(x, made.fineness, true));
  const std::size_t below = places.argument(squared(x, made.fineness, false));
  made.tallies = {places.tally({TallyKind::rows}), places.tally({TallyKind::sum, above}),
                  places.tally({TallyKind::sum, below})};
  made.greatest = statistic.table.row_limit * made.steps * made.fineness;
  return made;
}

}  // namespace

bool rests_on_public_count(const BoundStatistic& statistic) {
  return std::any_of(statistic.measurements.begin(), statistic.measurements.end(),
                     [](const Measurement& one) { return has_public_count(one.kind); });
}

bool has_all_rows_of_public_count(const BoundStatistic& statistic) {
  const query::Table& table = statistic.table;
  const bool is_common = table.public_count && !table.unit && table.neighbours == privacy::Neighbours::replace;
  const query::Query& query = statistic.query;
  return is_common && !query.filter && query.keys.empty() && query.joins.empty();
}

bool can_use_public_count(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (aggregation.aggregate != Aggregate::average || !has_all_rows_of_public_count(statistic)) return false;
  if (statistic.weighted) return false;
  const Expression& x = *aggregation.argument;
  if (x.nullable() && complete_column(x, statistic.table) == nullptr) return false;
  if (is_share_of_population(statistic, x)) return false;
  const auto& all = statistic.query.aggregations;
  return std::none_of(all.begin(), all.end(), [&](const Aggregation& other) {
    return shares_sums(other) && other.argument == aggregation.argument;
  });
}

Result<Measurement> measured_by_public_count(BoundStatistic& statistic, const Aggregation& aggregation) {
  VERNIER_TRY(const Argument x, complete(*aggregation.argument, statistic.table));
  Measurement made = statistic.inference.of_population ? of_population(statistic, x) : of_rows(statistic, x);
  VERNIER_TRY(const Sensitivity moved, public_count_sensitivity(statistic, made));
  made.sensitivity = moved;
  const auto& all = statistic.measurements;
  const auto before = std::find_if(all.begin(), all.end(), [&](const Measurement& one) {
    return !one.source && one.kind == made.kind && one.tallies == made.tallies;
  });
  if (before == all.end()) return made;
  made.source = static_cast<std::size_t>(before - all.begin());
  made.width = 0;
  return made;
}

Result<Sensitivity> public_count_sensitivity(const BoundStatistic& statistic, const Measurement& measurement) {
  const Groups groups = statistic.keys.groups();
  const privacy::Neighbours neighbours = statistic.table.neighbours;
  if (measurement.kind == MeasurementKind::public_mean) {
    return sum_sensitivity({0, measurement.steps}, statistic.contribution, groups, neighbours);
  }
  return moment_sensitivity(measurement.steps * measurement.fineness, statistic.contribution, groups, neighbours);
}

}  // namespace vernier::plan
