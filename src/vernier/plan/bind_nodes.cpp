#include "vernier/plan/bind_nodes.hpp"

#include <algorithm>

#include "vernier/plan/bind_arguments.hpp"
#include "vernier/plan/bind_places.hpp"
#include "vernier/plan/bind_weighted.hpp"
#include "vernier/plan/moments.hpp"

namespace vernier::plan {
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

}  // namespace

namespace {

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

}  // namespace vernier::plan
