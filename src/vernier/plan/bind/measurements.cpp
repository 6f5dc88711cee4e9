#include <algorithm>

#include "vernier/plan/bind/arguments.hpp"
#include "vernier/plan/bind/bind.hpp"
#include "vernier/plan/bind/nodes.hpp"
#include "vernier/plan/bind/public_count.hpp"
#include "vernier/plan/bind/ranks.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;

Figure ranked_figure(Aggregate aggregate) {
  if (aggregate == Aggregate::least) return Figure::least;
  return aggregate == Aggregate::greatest ? Figure::greatest : Figure::quantile;
}

class Binder {
 public:
  explicit Binder(BoundStatistic& statistic) : statistic_(statistic) {}

  Result<void> bind() {
    const std::size_t served = serve_private_keys();
    for (std::size_t i = 0; i < aggregations().size(); ++i) {
      if (i == served) continue;
      if (const Result<void> bound = add(i); !bound) return bound;
    }
    return share_trees(statistic_);
  }

 private:
  static constexpr std::size_t nobody = SIZE_MAX;

  const std::vector<Aggregation>& aggregations() const { return statistic_.query.aggregations; }

  bool counts_units(const Aggregation& x) const {
    return x.aggregate == Aggregate::count_units ||
           (x.aggregate == Aggregate::count_rows && statistic_.contribution.max_rows == 1);
  }

  // The number of units, by which private keys are chosen. It is COUNT(DISTINCT unit) itself, and COUNT(*) where one
  // row of a unit counts: the place of the first of them.
  std::size_t serve_private_keys() {
    if (statistic_.keys.are_public) return nobody;
    const auto first = std::find_if(aggregations().begin(), aggregations().end(),
                                    [&](const Aggregation& x) { return counts_units(x); });
    const bool is_published = first != aggregations().end();
    const auto place = is_published ? static_cast<std::size_t>(first - aggregations().begin()) : nobody;
    Measurement units{.kind = MeasurementKind::units,
                      .aggregation = is_published ? std::optional(place) : std::nullopt,
                      .tallies = {tally({TallyKind::units})},
                      .greatest = statistic_.table.row_limit,
                      .sensitivity = counted({statistic_.contribution.max_groups, 1}).value(),
                      .target = {}};
    statistic_.measurements.push_back(std::move(units));
    return place;
  }

  Result<void> add(std::size_t place) {
    Result<Measurement> measurement = measured(aggregations()[place]);
    if (!measurement) {
      return invalid(about("the column '" + aggregations()[place].name + "'", measurement.error()));
    }
    measurement->aggregation = place;
    statistic_.measurements.push_back(*std::move(measurement));
    return {};
  }

  Result<Measurement> measured(const Aggregation& aggregation) {
    if (can_use_public_count(statistic_, aggregation)) return measured_by_public_count(statistic_, aggregation);
    const auto nodes = nodes_for(statistic_, aggregation);
    if (nodes) return measured_by_nodes(statistic_, aggregation, *nodes);
    switch (aggregation.aggregate) {
      case Aggregate::count_rows:
        if (statistic_.weighted) return weighted_count(statistic_, std::nullopt);
        return count({TallyKind::rows});
      case Aggregate::count:
        if (statistic_.weighted) return weighted_count(statistic_, aggregation.argument);
        return count({TallyKind::values, argument(presence_of(*aggregation.argument))});
      case Aggregate::sum:
        return summed(*aggregation.argument, statistic_.table).and_then([&](const Argument& x) { return sum(x); });
      case Aggregate::quantile:
      case Aggregate::least:
      case Aggregate::greatest:
        return ranked(*aggregation.argument, statistic_.table).and_then([&](const Argument& x) {
          return quantile(x, ranked_figure(aggregation.aggregate), aggregation.fraction);
        });
      case Aggregate::count_units:
        return units();
      case Aggregate::count_distinct:
      default:  // the others are measured by nodes
        break;
    }
    return distinct(*aggregation.argument);
  }

  // A unit counts once in each of its groups, however many rows of it count. Of private keys it is the number by which
  // they were chosen.
  Result<Measurement> units() {
    return counted({statistic_.contribution.max_groups, 1}).map([&](const Sensitivity& sensitivity) {
      return measured_once({.kind = MeasurementKind::units,
                            .aggregation = {},
                            .tallies = {tally({TallyKind::units})},
                            .greatest = statistic_.table.row_limit,
                            .sensitivity = sensitivity,
                            .target = {}});
    });
  }

  Result<Measurement> distinct(const query::Expression& x) {
    return counted(statistic_.contribution).map([&](const Sensitivity& sensitivity) {
      return measured_once({.kind = MeasurementKind::distinct,
                            .aggregation = {},
                            .tallies = {tally({TallyKind::distinct, argument(value_of(x))})},
                            .greatest = statistic_.table.row_limit,
                            .sensitivity = sensitivity,
                            .target = {}});
    });
  }

  // The same number, asked under another name, has the same noise.
  Measurement measured_once(Measurement made) const {
    const std::vector<Measurement>& all = statistic_.measurements;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& other) {
      return other.kind == made.kind && other.figure == made.figure && other.fraction == made.fraction &&
             other.tallies == made.tallies && !other.source;
    });
    if (found == all.end()) return made;
    made.source = static_cast<std::size_t>(found - all.begin());
    made.width = 0;
    return made;
  }

  Result<Measurement> count(Tally counted_by) {
    return counted(statistic_.contribution).map([&](const Sensitivity& sensitivity) {
      return Measurement{.kind = MeasurementKind::count,
                         .aggregation = {},
                         .tallies = {tally(counted_by)},
                         .greatest = statistic_.table.row_limit,
                         .sensitivity = sensitivity,
                         .target = {}};
    });
  }

  Result<Measurement> sum(const Argument& x) {
    const std::int64_t rows = statistic_.table.row_limit;
    return sum_sensitivity(x.steps, statistic_.contribution, groups(), statistic_.table.neighbours)
        .map([&](const Sensitivity& sensitivity) {
          return Measurement{.kind = MeasurementKind::sum,
                             .figure = Figure::sum,
                             .aggregation = {},
                             .tallies = {tally({TallyKind::sum, argument(x)})},
                             .granularity = x.granularity,
                             .least = rows * std::min<std::int64_t>(x.steps.lower, 0),
                             .greatest = rows * std::max<std::int64_t>(x.steps.upper, 0),
                             .sensitivity = sensitivity,
                             .target = {}};
        });
  }

  // One that was asked before is not asked twice.
  Result<Measurement> quantile(const Argument& x, Figure figure, query::Fraction fraction) {
    Measurement made{.kind = MeasurementKind::quantiles,
                     .figure = figure,
                     .aggregation = {},
                     .fraction = figure == Figure::quantile ? fraction : query::Fraction{},
                     .absorbs_sample = absorbs_sample(statistic_, figure),
                     .tallies = {},
                     .granularity = x.granularity,
                     .origin = x.origin,
                     .steps = x.steps.upper,
                     .sensitivity = {},
                     .target = {}};
    made.width = rank_width(made);
    const auto statistic = rank_statistic(made);
    if (!statistic) return invalid(after("cannot be asked: ", statistic.error()));
    VERNIER_TRY(check_weighted_ranks(statistic_, made));
    VERNIER_TRY(const auto moved, rank_sensitivity(made, statistic_.contribution, groups(), statistic_.table.neighbours,
                                                   heaviest_of(statistic_)));
    made.sensitivity = moved;
    made.greatest = statistic->points() - 1;
    const std::size_t place = argument(x);
    made.tallies = {Places(statistic_).histogram({place, rank_grid(made)->halvings(), weight_argument(statistic_)})};
    return measured_once(std::move(made));
  }

  Result<Sensitivity> counted(Contribution contribution) const {
    return count_sensitivity(contribution, groups(), statistic_.table.neighbours);
  }

  Groups groups() const { return statistic_.keys.groups(); }
  std::size_t argument(Argument x) { return Places(statistic_).argument(std::move(x)); }
  std::size_t tally(Tally x) { return Places(statistic_).tally(x); }

  BoundStatistic& statistic_;
};

}  // namespace

Result<void> bind_measurements(BoundStatistic& statistic) { return Binder(statistic).bind(); }

}  // namespace vernier::plan
