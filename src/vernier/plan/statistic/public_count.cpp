#include "vernier/plan/statistic/public_count.hpp"

#include <algorithm>

#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/ways.hpp"
#include "vernier/plan/statistic/nodes.hpp"

namespace vernier::plan {
namespace {

using interval::Covers;
using interval::Status;
using query::Aggregate;
using query::Aggregation;
using query::Expression;
using query::Operation;
using Noisy = std::span<const std::int64_t>;

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

// Of no rows every number counts as the mean.
Estimate of_no_rows(noise::ValueRange bounds, Status status, Covers covers) {
  const interval::Interval all = interval::values_of(bounds, {0, 1});
  const double middle = value_at(bounds, 0.5, all);
  return {.value = middle,
          .accuracy = farthest_end(middle, all),
          .interval = all,
          .is_whole = false,
          .coverage = status,
          .covers = covers,
          .informative = false,
          .may_be_empty = true};
}

template <class Law>
Result<Estimator> of_rows(const Measurement& one, const Law& law, noise::ValueRange bounds, Alpha level) {
  using Inference = interval::PublicCountMeanInference<Law>;
  return Inference::of(law, one.steps, bounds, level).map([bounds](const Inference& inference) -> Estimator {
    return [inference, bounds](Noisy noisy) -> Result<Estimate> {
      if (noisy[0] == 0) return of_no_rows(bounds, Status::proven, Covers::bounded_value);
      return inference.from(noisy[1], noisy[0]).map([](const interval::MeanInterval& found) {
        return estimate_of(found, interval::MeanInterval::status);
      });
    };
  });
}

template <class Law>
Result<Estimator> of_population(const Measured& in, const Law& law, noise::ValueRange bounds, Alpha level) {
  using Inference = interval::PublicCountPopulationMean<Law>;
  const Status status = in.statistic.inference.is_guaranteed ? Status::proven : Status::tested;
  VERNIER_TRY(const interval::MeanNodes nodes, nodes_of(in));
  return Inference::of(law, nodes, bounds, level, assurance_of(in.statistic), design_of(in.statistic))
      .map([bounds, status](const Inference& inference) -> Estimator {
        return [inference, bounds, status](Noisy noisy) -> Result<Estimate> {
          if (noisy[0] == 0) return of_no_rows(bounds, status, Covers::population);
          return inference.from(noisy.subspan(1), noisy[0]).map([](const interval::PopulationInterval& found) {
            return estimate_of(found, found.status);
          });
        };
      });
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
  return is_common && !query.filter && query.keys.empty() && query.joins.empty() && query.made.empty();
}

bool has_no_null(const Expression& x, const query::Table& table) {
  return !x.nullable() || complete_column(x, table) != nullptr;
}

bool can_use_public_count(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (aggregation.aggregate != Aggregate::average || !has_all_rows_of_public_count(statistic)) return false;
  if (statistic.weighted) return false;
  const Expression& x = *aggregation.argument;
  if (!has_no_null(x, statistic.table)) return false;
  if (is_share_of_population(statistic, x)) return false;
  const auto& all = statistic.query.aggregations;
  return std::none_of(all.begin(), all.end(), [&](const Aggregation& other) {
    return shares_sums(other) && other.argument == aggregation.argument && !is_apart(statistic, other.name);
  });
}

// Whatever stands in a row: a declaration is not believed, but made true.
Result<Expression> complete_expression(const Expression& x, const query::Table& table) {
  const query::Column* const column = complete_column(x, table);
  if (column == nullptr) return x;
  return apply(Operation::coalesce, {x, query::literal(column->range->lower)});
}

Result<Argument> complete_argument(const BoundStatistic& statistic, const Aggregation& aggregation) {
  const Expression& x = *aggregation.argument;
  VERNIER_TRY(Argument made, averaged(x, statistic.table));
  VERNIER_TRY(made.expression, complete_expression(x, statistic.table));
  return made;
}

Result<Estimator> public_count_estimator(const Measured& in, const Law& law, Alpha level) {
  const bool is_of_population = in.one.kind == Moments::public_kind;
  if (in.one.figure != Figure::mean || is_of_population != in.statistic.inference.of_population) {
    return invalid("it is published as something that its sums do not hold");
  }
  VERNIER_TRY(const AdditiveLaw noise, added_by(law));
  VERNIER_TRY(const noise::ValueRange bounds, bounds_of(in.one));
  return std::visit(
      [&](const auto& known) {
        return is_of_population ? of_population(in, known, bounds, level) : of_rows(in.one, known, bounds, level);
      },
      noise);
}

}  // namespace vernier::plan
