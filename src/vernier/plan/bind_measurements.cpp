#include "vernier/plan/bind_measurements.hpp"

#include <algorithm>

#include "vernier/plan/bind_arguments.hpp"
#include "vernier/plan/rank_measure.hpp"

namespace vernier::plan {
namespace {

using query::Aggregate;
using query::Aggregation;

bool same(const Argument& a, const Argument& b) {
  return a.is_number == b.is_number && a.granularity == b.granularity && a.origin == b.origin &&
         a.expression == b.expression;
}

bool same(const Tally& a, const Tally& b) { return a == b; }
bool same(const Histogram& a, const Histogram& b) { return a == b; }

Figure ranked_figure(Aggregate aggregate) {
  if (aggregate == Aggregate::least) return Figure::least;
  return aggregate == Aggregate::greatest ? Figure::greatest : Figure::quantile;
}

// The place of the item in the list, into which it is put if it is not there yet.
template <class Item>
std::size_t place_of(std::vector<Item>& list, Item item) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const Item& other) { return same(other, item); });
  const auto place = static_cast<std::size_t>(found - list.begin());
  if (found == list.end()) list.push_back(std::move(item));
  return place;
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
    return {};
  }

 private:
  static constexpr std::size_t nobody = SIZE_MAX;

  const std::vector<Aggregation>& aggregations() const { return statistic_.query.aggregations; }

  // The number of units, by which private keys are chosen. It is COUNT(*) itself where one row of a unit counts: the
  // place of that COUNT(*).
  std::size_t serve_private_keys() {
    if (statistic_.keys.are_public) return nobody;
    const auto first = std::find_if(aggregations().begin(), aggregations().end(),
                                    [](const Aggregation& x) { return x.aggregate == Aggregate::count_rows; });
    const bool is_published = first != aggregations().end() && statistic_.contribution.max_rows == 1;
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
      return invalid("the column '" + aggregations()[place].name + "' " + std::move(measurement.error().sentence));
    }
    measurement->aggregation = place;
    statistic_.measurements.push_back(*std::move(measurement));
    return {};
  }

  Result<Measurement> measured(const Aggregation& aggregation) {
    switch (aggregation.aggregate) {
      case Aggregate::count_rows:
        return count({TallyKind::rows});
      case Aggregate::count:
        return count({TallyKind::values, argument(presence_of(*aggregation.argument))});
      case Aggregate::sum:
        return summed(*aggregation.argument, statistic_.table).and_then([&](const Argument& x) { return sum(x); });
      case Aggregate::average:
        return averaged(*aggregation.argument, statistic_.table).and_then([&](const Argument& x) { return mean(x); });
      case Aggregate::variance_sample:
      case Aggregate::variance_population:
      case Aggregate::deviation_sample:
      case Aggregate::deviation_population:
        return invalid("is a moment, which is not measured yet");
      case Aggregate::quantile:
      case Aggregate::least:
      case Aggregate::greatest:
        return ranked(*aggregation.argument, statistic_.table).and_then([&](const Argument& x) {
          return quantile(x, ranked_figure(aggregation.aggregate), aggregation.fraction);
        });
      case Aggregate::count_units:
      case Aggregate::count_distinct:
        break;
    }
    return invalid("is a distinct count, which is not measured yet");
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

  Result<Measurement> mean(const Argument& x) {
    return mean_sensitivity(x.steps.upper, statistic_.contribution, groups(), statistic_.table.neighbours)
        .map([&](const Sensitivity& sensitivity) {
          const std::size_t place = argument(x);
          const std::size_t values = tally({TallyKind::values, place}), total = tally({TallyKind::sum, place});
          return Measurement{.kind = MeasurementKind::mean,
                             .figure = Figure::mean,
                             .aggregation = {},
                             .width = 2,
                             .tallies = {values, total},
                             .granularity = x.granularity,
                             .origin = x.origin,
                             .steps = x.steps.upper,
                             .greatest = statistic_.table.row_limit * x.steps.upper,
                             .sensitivity = sensitivity,
                             .target = {}};
        });
  }

  // One that was asked before is not asked twice.
  Result<Measurement> quantile(const Argument& x, Figure figure, query::Fraction fraction) {
    Measurement made{.kind = MeasurementKind::quantiles,
                     .figure = figure,
                     .aggregation = {},
                     .width = 2,
                     .fraction = figure == Figure::quantile ? fraction : query::Fraction{},
                     .tallies = {},
                     .granularity = x.granularity,
                     .origin = x.origin,
                     .steps = x.steps.upper,
                     .sensitivity = {},
                     .target = {}};
    const auto statistic = rank_statistic(made);
    const auto moved = rank_sensitivity(made, statistic_.contribution, groups(), statistic_.table.neighbours);
    if (!statistic) return invalid("cannot be asked: " + statistic.error().sentence);
    if (!moved) return Failure(moved.error());
    made.sensitivity = *moved;
    made.greatest = statistic->points() - 1;
    made.tallies = {place_of(statistic_.histograms, Histogram{argument(x), rank_grid(made)->halvings()})};
    return with_source(std::move(made));
  }

  Measurement with_source(Measurement made) const {
    const auto& all = statistic_.measurements;
    const auto found = std::find_if(all.begin(), all.end(), [&](const Measurement& other) {
      return other.kind == made.kind && other.figure == made.figure && other.fraction == made.fraction &&
             other.tallies == made.tallies && !other.source;
    });
    if (found == all.end()) return made;
    made.source = static_cast<std::size_t>(found - all.begin());
    made.width = 0;
    return made;
  }

  Result<Sensitivity> counted(Contribution contribution) const {
    return count_sensitivity(contribution, groups(), statistic_.table.neighbours);
  }

  Groups groups() const { return statistic_.keys.groups(); }
  std::size_t argument(Argument x) { return place_of(statistic_.arguments, std::move(x)); }
  std::size_t tally(Tally x) { return place_of(statistic_.tallies, x); }

  BoundStatistic& statistic_;
};

}  // namespace

Result<void> bind_measurements(BoundStatistic& statistic) { return Binder(statistic).bind(); }

}  // namespace vernier::plan
