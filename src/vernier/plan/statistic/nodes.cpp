#include "vernier/plan/statistic/nodes.hpp"

#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/ways.hpp"
#include "vernier/plan/statistic/public_count.hpp"
#include "vernier/plan/statistic/weights.hpp"

namespace vernier::plan {
namespace {

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_shift = Int128{1} << 26;     // so that scales stay far below their limit of 1e12
constexpr Int128 greatest_square = Int128{1} << 61;  // of steps^2 * fineness, which the engine doubles
constexpr Int128 fine_weight = 1024;                 // from here on the steps of the noise do not widen an interval

}  // namespace

std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows, bool has_scaled_rows) {
  const Int128 k = steps;
  const Int128 wanted = has_scaled_rows ? enough_shift : fine_weight;
  const Int128 most = std::min(greatest_total / row_limit, enough_shift / max_rows) / k;
  if (most < k) return static_cast<std::int64_t>(std::max(std::min(most, greatest_square / (k * k)), Int128{1}));
  const Int128 times = std::min((wanted + k * k - 1) / (k * k), most / k);
  return static_cast<std::int64_t>(k * times);
}

Result<interval::MeanNodes> nodes_of(const Measured& in) {
  if (in.one.kind == Mean::kind) return interval::MeanNodes::of(interval::Basis::two, in.one.steps);
  return interval::MeanNodes::moments(in.one.steps, in.one.fineness, in.has_scaled_rows());
}

bool can_show(MeasurementKind kind, const Figure& figure) {
  const bool is_linear = figure == Figure::count || figure == Figure::sum || figure == Figure::mean;
  return has_nodes(kind) && (is_linear || (is_spread(figure) && kind == Moments::kind));
}

// All rows at once fill a node sum, so that its greatest value tells the row limit.
Result<LinearFigure> linear_figure(const Measurement& measurement, const interval::MeanNodes& nodes) {
  const std::int64_t rows = measurement.greatest / nodes.weight();
  if (measurement.figure == Figure::count) {
    return interval::PossibleRange::of(0, rows).map([&](const interval::PossibleRange& possible) {
      return LinearFigure{interval::count_of_rows(nodes), possible, 1};
    });
  }
  const std::int64_t lower = std::min<std::int64_t>(measurement.origin, 0);
  const std::int64_t upper = std::max<std::int64_t>(measurement.origin + measurement.steps, 0);
  if (Int128{rows} * std::max(-lower, upper) > greatest_total) return invalid("is a sum that could leave 64 bits");
  return interval::PossibleRange::of(rows * lower, rows * upper).map([&](const interval::PossibleRange& possible) {
    return LinearFigure{interval::sum_of_rows(nodes, measurement.origin), possible, measurement.granularity};
  });
}

namespace {

using query::Aggregate;
using query::Aggregation;

bool asks_spread(Aggregate aggregate) {
  return aggregate >= Aggregate::variance_sample && aggregate <= Aggregate::deviation_population;
}

bool can_share(Aggregate aggregate) {
  return aggregate == Aggregate::count || aggregate == Aggregate::sum || aggregate == Aggregate::average ||
         asks_spread(aggregate);
}

// Whether one of the statement's aggregations of the same x is wanted, of those that share.
template <class IsWanted>
bool asks(const BoundStatistic& statistic, const Aggregation& aggregation, IsWanted is_wanted) {
  const std::vector<Aggregation>& all = statistic.query.aggregations;
  return std::any_of(all.begin(), all.end(), [&](const Aggregation& other) {
    return is_wanted(other.aggregate) && other.argument == aggregation.argument && !is_apart(statistic, other.name);
  });
}

// The part of a unit with several rows lies between the two.
bool has_two_values(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (statistic.table.unit) return false;
  const Result<Argument> x = averaged(*aggregation.argument, statistic.table);
  return x && x->steps.upper == 1;
}

std::optional<MeasurementKind> population_nodes_for(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (aggregation.aggregate == Aggregate::count) return std::nullopt;
  if (statistic.weighted) return Moments::kind;
  const bool has_squares =
      asks(statistic, aggregation, [](Aggregate one) { return asks_spread(one) || one == Aggregate::sum; });
  return has_squares || !has_two_values(statistic, aggregation) ? Moments::kind : Mean::kind;
}

}  // namespace

Aggregation counted_by(const BoundStatistic& statistic, Aggregation aggregation) {
  if (aggregation.aggregate != Aggregate::count_rows || !statistic.rows_by) return aggregation;
  for (const Aggregation& other : statistic.query.aggregations) {
    if (!other.argument || query::canonical(*other.argument) != *statistic.rows_by) continue;
    aggregation.aggregate = Aggregate::count;
    aggregation.argument = other.argument;
    return aggregation;
  }
  return aggregation;
}

std::optional<MeasurementKind> nodes_for(const BoundStatistic& statistic, const Aggregation& asked) {
  const Aggregation aggregation = counted_by(statistic, asked);
  if (!can_share(aggregation.aggregate)) return std::nullopt;
  if (statistic.inference.of_population) return population_nodes_for(statistic, aggregation);
  if (is_apart(statistic, aggregation.name) && !asks_spread(aggregation.aggregate)) {
    return aggregation.aggregate == Aggregate::average ? std::optional(Mean::kind) : std::nullopt;
  }
  if (asks(statistic, aggregation, asks_spread)) return Moments::kind;
  const bool has_mean = asks(statistic, aggregation, [](Aggregate one) { return one == Aggregate::average; });
  return has_mean ? std::optional(Mean::kind) : std::nullopt;
}

Result<Argument> node_argument(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (aggregation.aggregate == Aggregate::sum) {  // refuses what may leave 64 bits
    VERNIER_TRY(const Argument sum, summed(*aggregation.argument, statistic.table));
    VERNIER_TRY(check_weighted_sum(statistic, sum));
  }
  const bool counts_rows = statistic.rows_by && query::canonical(*aggregation.argument) == *statistic.rows_by;
  if (counts_rows) return complete_argument(statistic, aggregation);
  return averaged(*aggregation.argument, statistic.table);
}

Measurement over_nodes(MeasurementKind kind, const Figure& figure, const Argument& x) {
  return {.kind = kind,
          .figure = figure,
          .aggregation = {},
          .tallies = {},
          .granularity = x.granularity,
          .origin = x.origin,
          .steps = x.steps.upper,
          .sensitivity = {},
          .target = {}};
}

}  // namespace vernier::plan
