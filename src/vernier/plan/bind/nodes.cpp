#include "vernier/plan/bind/nodes.hpp"

#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/ranks.hpp"

namespace vernier::plan {
namespace {

constexpr Int128 greatest_total = Int128{1} << 62;
constexpr Int128 enough_shift = Int128{1} << 26;     // so that scales stay far below their limit of 1e12
constexpr Int128 greatest_square = Int128{1} << 61;  // of steps^2 * fineness, which the engine doubles
constexpr Int128 fine_weight = 1024;                 // from here on the steps of the noise do not widen an interval

}  // namespace

std::int64_t moment_fineness(std::int64_t steps, std::int64_t row_limit, std::int64_t max_rows) {
  const Int128 k = steps;
  const Int128 most = std::min(greatest_total / row_limit, enough_shift / max_rows) / k;
  if (most < k) return static_cast<std::int64_t>(std::max(std::min(most, greatest_square / (k * k)), Int128{1}));
  const Int128 times = std::min((fine_weight + k * k - 1) / (k * k), most / k);
  return static_cast<std::int64_t>(k * times);
}

Result<interval::MeanNodes> nodes_of(const Measurement& measurement) {
  if (measurement.kind == MeasurementKind::mean) {
    return interval::MeanNodes::of(interval::Basis::two, measurement.steps);
  }
  return interval::MeanNodes::moments(measurement.steps, measurement.fineness);
}

bool can_show(MeasurementKind kind, Figure figure) {
  const bool is_linear = figure == Figure::count || figure == Figure::sum || figure == Figure::mean;
  const bool is_spread = figure >= Figure::variance_sample && figure <= Figure::deviation_population;
  return has_nodes(kind) && (is_linear || (is_spread && kind == MeasurementKind::moments));
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

bool is_spread(Aggregate aggregate) {
  return aggregate >= Aggregate::variance_sample && aggregate <= Aggregate::deviation_population;
}

bool can_share(Aggregate aggregate) {
  return aggregate == Aggregate::count || aggregate == Aggregate::sum || aggregate == Aggregate::average ||
         is_spread(aggregate);
}

Figure figure_of(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::sum:
      return Figure::sum;
    case Aggregate::average:
      return Figure::mean;
    case Aggregate::variance_sample:
      return Figure::variance_sample;
    case Aggregate::variance_population:
      return Figure::variance_population;
    case Aggregate::deviation_sample:
      return Figure::deviation_sample;
    case Aggregate::deviation_population:
      return Figure::deviation_population;
    default:
      return Figure::count;
  }
}

Measurement with_nodes(MeasurementKind kind, const Argument& x, const Sensitivity& sensitivity) {
  return {.kind = kind,
          .aggregation = {},
          .tallies = {},
          .granularity = x.granularity,
          .origin = x.origin,
          .steps = x.steps.upper,
          .sensitivity = sensitivity,
          .target = {}};
}

Result<Measurement> mean(BoundStatistic& statistic, const Argument& x) {
  const std::int64_t steps = x.steps.upper;
  return mean_sensitivity(steps, statistic.contribution, statistic.keys.groups(), statistic.table.neighbours)
      .map([&](const Sensitivity& sensitivity) {
        Places places(statistic);
        const std::size_t place = places.argument(x);
        Measurement made = with_nodes(MeasurementKind::mean, x, sensitivity);
        made.width = 2;
        made.tallies = {places.tally({TallyKind::values, place}), places.tally({TallyKind::sum, place})};
        made.greatest = statistic.table.row_limit * steps;
        return made;
      });
}

Result<Measurement> moments(BoundStatistic& statistic, const Argument& x) {
  const std::int64_t steps = x.steps.upper, rows = statistic.table.row_limit, heaviest = heaviest_of(statistic);
  VERNIER_TRY(check_weighted(statistic, x));
  const std::int64_t fineness = node_fineness(statistic, steps);
  return moment_sensitivity(steps * fineness * heaviest, statistic.contribution, statistic.keys.groups(),
                            statistic.table.neighbours)
      .map([&](const Sensitivity& sensitivity) {
        Places places(statistic);
        const std::size_t above = places.argument(weighted(statistic, squared(x, fineness, true)));
        const std::size_t below = places.argument(weighted(statistic, squared(x, fineness, false)));
        Measurement made = with_nodes(MeasurementKind::moments, x, sensitivity);
        made.width = 3;
        made.fineness = fineness;
        made.tallies = {total_tally(statistic, x, below, fineness), places.tally({TallyKind::sum, above}),
                        places.tally({TallyKind::sum, below})};
        made.greatest = rows * steps * fineness * heaviest;
        return made;
      });
}

// The same node sums, published once more.
Measurement shared(Measurement of, std::size_t source) {
  of.source = source;
  of.width = 0;
  of.aggregation.reset();
  return of;
}

// Whether one of the statement's aggregations of the same x is wanted.
template <class IsWanted>
bool asks(const query::Query& query, const Aggregation& aggregation, IsWanted is_wanted) {
  return std::any_of(query.aggregations.begin(), query.aggregations.end(), [&](const Aggregation& other) {
    return is_wanted(other.aggregate) && other.argument == aggregation.argument;
  });
}

bool has_two_values(const BoundStatistic& statistic, const Aggregation& aggregation) {
  const Result<Argument> x = averaged(*aggregation.argument, statistic.table);
  return x && x->steps.upper == 1;
}

std::optional<MeasurementKind> population_nodes_for(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (aggregation.aggregate == Aggregate::count) return std::nullopt;
  if (statistic.weighted) return MeasurementKind::moments;
  const bool has_squares =
      asks(statistic.query, aggregation, [](Aggregate one) { return is_spread(one) || one == Aggregate::sum; });
  return has_squares || !has_two_values(statistic, aggregation) ? MeasurementKind::moments : MeasurementKind::mean;
}

}  // namespace

std::optional<MeasurementKind> nodes_for(const BoundStatistic& statistic, const Aggregation& aggregation) {
  if (!can_share(aggregation.aggregate)) return std::nullopt;
  if (statistic.inference.of_population) return population_nodes_for(statistic, aggregation);
  if (asks(statistic.query, aggregation, is_spread)) return MeasurementKind::moments;
  const bool has_mean = asks(statistic.query, aggregation, [](Aggregate one) { return one == Aggregate::average; });
  return has_mean ? std::optional(MeasurementKind::mean) : std::nullopt;
}

Result<Measurement> measured_by_nodes(BoundStatistic& statistic, const Aggregation& aggregation, MeasurementKind kind) {
  if (aggregation.aggregate == Aggregate::sum) {  // refuses what may leave 64 bits
    VERNIER_TRY(const Argument sum, summed(*aggregation.argument, statistic.table));
    VERNIER_TRY(check_weighted_sum(statistic, sum));
  }
  VERNIER_TRY(const Argument x, averaged(*aggregation.argument, statistic.table));
  Result<Measurement> made = kind == MeasurementKind::mean ? mean(statistic, x) : moments(statistic, x);
  if (!made) return made;
  const auto& all = statistic.measurements;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& one) {
    return !one.source && one.kind == kind && one.tallies == made->tallies;
  });
  if (found != all.end()) made = shared(*std::move(made), static_cast<std::size_t>(found - all.begin()));
  made->figure = figure_of(aggregation.aggregate);
  return made;
}

namespace {

query::Expression weight_column(const BoundStatistic& statistic) {
  return query::column(*statistic.table.column(statistic.weighted->column));
}

Argument::Weight weight_in(const BoundStatistic& statistic, std::int64_t total) {
  return {weight_column(statistic), statistic.weighted->granularity, total};
}

// The weight of rows where x is not NULL, so many times.
Argument weight_where(const BoundStatistic& statistic, const query::Expression& x, std::int64_t times) {
  Argument all = presence_of(x);
  all.weight = weight_in(statistic, times);
  all.steps.upper = times * statistic.weighted->heaviest;
  return all;
}

}  // namespace

Result<void> check_weighted(const BoundStatistic& statistic, const Argument& x) {
  if (!statistic.weighted || weights_fit(statistic, x.steps.upper)) return {};
  return invalid("could leave 64 bits, with up to " + std::to_string(statistic.table.row_limit) + " rows of up to " +
                 std::to_string(x.steps.upper) + " steps, each with a weight of up to " +
                 std::to_string(statistic.weighted->heaviest) + " steps; lower row_limit of the table '" +
                 statistic.table.name + "', take narrower bounds, or a coarser granularity of '" +
                 statistic.weighted->column + "'");
}

Result<void> check_weighted_sum(const BoundStatistic& statistic, const Argument& x) {
  Argument size = x;
  size.steps = {0, std::max(-x.steps.lower, x.steps.upper)};
  return check_weighted(statistic, size);
}

Result<Measurement> weighted_count(BoundStatistic& statistic, const std::optional<query::Expression>& x) {
  const query::Expression counted = x.value_or(weight_column(statistic));
  Argument one = presence_of(counted);
  one.steps.upper = 1;
  VERNIER_TRY(check_weighted(statistic, one));
  return weighted_count_sensitivity(statistic).map([&](const Sensitivity& sensitivity) {
    Places places(statistic);
    const std::size_t place = places.argument(weight_where(statistic, counted, 1));
    return Measurement{.kind = MeasurementKind::count,
                       .aggregation = {},
                       .tallies = {places.tally({TallyKind::sum, place})},
                       .greatest = statistic.table.row_limit * statistic.weighted->heaviest,
                       .sensitivity = sensitivity,
                       .target = {}};
  });
}

Result<void> check_weighted_ranks(const BoundStatistic& statistic, const Measurement& quantile) {
  if (!statistic.weighted || weighted_ranks_fit(statistic, quantile)) return {};
  return invalid("could leave 64 bits, with up to " + std::to_string(statistic.table.row_limit) +
                 " rows, each with a weight of up to " + std::to_string(statistic.weighted->heaviest) +
                 " steps; lower row_limit of the table '" + statistic.table.name +
                 "', take a fraction with fewer decimals, or a coarser granularity of '" + statistic.weighted->column +
                 "'");
}

std::optional<std::size_t> weight_argument(BoundStatistic& statistic) {
  if (!statistic.weighted) return std::nullopt;
  const SurveyWeight& weight = *statistic.weighted;
  return Places(statistic).argument({weight_column(statistic), weight.granularity, 0, {0, weight.heaviest}});
}

Argument weighted(const BoundStatistic& statistic, Argument argument) {
  if (!statistic.weighted) return argument;
  argument.weight = weight_in(statistic, 1);
  argument.steps.upper *= statistic.weighted->heaviest;
  return argument;
}

std::size_t total_tally(BoundStatistic& statistic, const Argument& x, std::size_t below, std::int64_t fineness) {
  Places places(statistic);
  if (!statistic.weighted) return places.tally({TallyKind::values, below});
  Argument all = weight_where(statistic, x.expression, x.steps.upper * fineness);
  return places.tally({TallyKind::sum, places.argument(std::move(all))});
}

}  // namespace vernier::plan
