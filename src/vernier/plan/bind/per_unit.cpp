#include "vernier/query/per_unit.hpp"

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"

namespace vernier::plan {
namespace {

// Sums are of integers, so that no order of rows shows in them (per_unit.md).
Result<Argument> total_of(const query::Aggregation& total, const query::Table& rows) {
  if (!query::can_be_total(total.aggregate) || total.other) {
    return invalid("for each unit only " + std::string(query::totals_in_words) + " are computed");
  }
  if (!total.argument) return presence_of(query::literal(true));
  if (total.aggregate == query::Aggregate::count) return presence_of(*total.argument);
  const bool is_sum = total.aggregate == query::Aggregate::sum || total.aggregate == query::Aggregate::average;
  if (!is_sum) return value_of(*total.argument);
  VERNIER_TRY(const Argument steps, summed(*total.argument, rows));
  return is_rounded(*total.argument, rows) ? in_finest_steps(steps) : steps;
}

}  // namespace

Result<BoundPerUnit> bind_per_unit(const query::PerUnit& asked, const query::Table& rows) {
  const bool has_unit =
      rows.unit && !asked.keys.empty() && asked.keys.front().expression.operation() == query::Operation::column &&
      asked.keys.front().expression.column_name() == *rows.unit && asked.keys.front().name == *rows.unit;
  if (!has_unit) return invalid("rows are added up for each unit, which must be the first key");
  BoundPerUnit made{rows, {}};
  for (const query::Aggregation& total : asked.totals) {
    Result<Argument> argument = total_of(total, rows);
    if (!argument) return invalid("the column '" + total.name + "' " + argument.error().sentence());
    made.totals.push_back(*std::move(argument));
  }
  return made;
}

}  // namespace vernier::plan
