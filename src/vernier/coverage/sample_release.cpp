#include <algorithm>
#include <cstdlib>

#include "vernier/coverage/release_parts.hpp"
#include "vernier/interval/additive.hpp"
#include "vernier/interval/mean.hpp"
#include "vernier/interval/public_count_mean.hpp"
#include "vernier/interval/variance.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::coverage {
namespace {

using interval::MeanNodes;
using interval::PossibleRange;

Result<Release> mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    return maker_of(interval::MeanInference<One>::of(law, nodes, point.grid.bounds(), point.alpha));
  };
  return node_release(question, point, population, mean_nodes(point.grid), make);
}

Result<Release> spread_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const interval::SpreadForm form{interval::Divisor::rows_less_one,
                                  question.statistic == Statistic::standard_deviation};
  const auto make = [&]<class One>(const One& law, const MeanNodes& nodes) -> Result<IntervalMaker> {
    return Real::of(point.grid.range()).and_then([&](Real range) {
      return interval::SpreadInference<One>::of(law, nodes, range, point.alpha, form)
          .map(maker_of<interval::SpreadInference<One>>);
    });
  };
  return node_release(question, point, population, moment_nodes(point.grid), make);
}

// One number that is told with its own noise: what a row adds to it at each step, how far it can move and where it can
// lie, and what a unit of it is worth.
struct OneNumber {
  std::vector<RowSums> rows;
  std::int64_t shift;
  PossibleRange possible;
  double worth;
};

Result<Release> number_release(const Question& question, const Point& point, const OneNumber& number) {
  VERNIER_TRY(const Law law, law_for(question, point, number.shift));
  const auto accuracy = std::visit([&](const auto& one) { return interval::additive_accuracy(one, point.alpha); }, law);
  if (!accuracy) return Failure(accuracy.error());
  const IntervalMaker make = [accuracy = *accuracy, possible = number.possible, worth = *Real::of(number.worth)](
                                 std::span<const std::int64_t> released) -> Result<interval::Interval> {
    return interval::on_grid(interval::additive(released[0], accuracy, possible), worth).interval;
  };
  return SumsRelease{1, number.rows, sampler_of(law), make};
}

std::vector<RowSums> rows_above(const PlacedPopulation& population, std::int64_t origin) {
  std::vector<RowSums> rows;
  for (const std::int64_t step : population.steps()) rows.push_back({origin + step, 0, 0});
  return rows;
}

Result<Release> count_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const std::vector<RowSums> rows(population.steps().size(), RowSums{1, 0, 0});
  const auto possible = PossibleRange::of(0, query::default_row_limit);
  return number_release(question, point, {rows, 1, *possible, 1});
}

// So many rows that no sum leaves 62 bits, and no more than a table has.
std::int64_t most_rows(std::int64_t greatest) {
  return std::min(query::default_row_limit, (std::int64_t{1} << 62) / std::max<std::int64_t>(greatest, 1));
}

Result<Release> sum_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  const std::int64_t lower = std::min<std::int64_t>(point.grid.origin(), 0);
  const std::int64_t upper = std::max<std::int64_t>(point.grid.origin() + point.grid.steps(), 0);
  const std::int64_t shift = std::max(-lower, upper), rows = most_rows(shift);
  if (point.size > rows) return invalid("the sample is so large that its sum would leave 64 bits");
  return PossibleRange::of(rows * lower, rows * upper).and_then([&](const PossibleRange& possible) {
    const OneNumber number{rows_above(population, point.grid.origin()), shift, possible, point.grid.granularity()};
    return number_release(question, point, number);
  });
}

template <class One>
Result<IntervalMaker> public_mean_maker(const One& law, const Point& point) {
  using Inference = interval::PublicCountMeanInference<One>;
  return Inference::of(law, point.grid.steps(), point.grid.bounds(), point.alpha)
      .map([rows = point.size](const Inference& inference) -> IntervalMaker {
        return [inference, rows](std::span<const std::int64_t> released) {
          return inference.from(released[0], rows).map([](const auto& found) { return found.interval; });
        };
      });
}

// The number of rows being public, of a mean only the sum above the lower bound has noise; one row that is replaced
// moves it by all steps.
Result<Release> public_mean_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  if (point.size > most_rows(point.grid.steps())) {
    return invalid("the sample is so large that its sum would leave 64 bits");
  }
  VERNIER_TRY(const Law law, law_for(question, point, point.grid.steps()));
  VERNIER_TRY(IntervalMaker maker, std::visit([&](const auto& one) { return public_mean_maker(one, point); }, law));
  return SumsRelease{1, rows_above(population, 0), sampler_of(law), std::move(maker)};
}

Result<Release> quantile_release(const Question& question, const Point& point) {
  return rank_parts(question, point).and_then([&](const RankParts& parts) {
    return interval::ValueQuantileInference::of(parts.statistic, parts.grid, parts.law, point.alpha)
        .map([](const auto& inference) { return Release(EndsRelease{inference}); });
  });
}

}  // namespace

Result<Release> sample_release(const Question& question, const Point& point, const PlacedPopulation& population) {
  switch (question.statistic) {
    case Statistic::count:
      return count_release(question, point, population);
    case Statistic::sum:
      return sum_release(question, point, population);
    case Statistic::variance:
    case Statistic::standard_deviation:
      return spread_release(question, point, population);
    case Statistic::quantile:
      return quantile_release(question, point);
    default:
      return question.public_count ? public_mean_release(question, point, population)
                                   : mean_release(question, point, population);
  }
}

}  // namespace vernier::coverage
