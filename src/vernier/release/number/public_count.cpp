#include "vernier/release/number/public_count.hpp"

#include <algorithm>

#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/plan/bind/nodes.hpp"
#include "vernier/plan/bind/public_count.hpp"
#include "vernier/release/derived/derived.hpp"
#include "vernier/release/number/number_maker.hpp"

namespace vernier::release {
namespace {

using interval::Covers;
using interval::Status;
using plan::Measurement;
using plan::MeasurementKind;
using query::Int128;
using Noisy = std::span<const std::int64_t>;

// Of no rows every number counts as the mean.
Number of_no_rows(noise::ValueRange bounds, Status status, Covers covers) {
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

// A mean of rows or of a population.
template <class Found>
Number published(const Found& found, Status status) {
  return {.value = found.value,
          .accuracy = found.accuracy,
          .interval = found.interval,
          .is_whole = false,
          .coverage = status,
          .covers = Found::covers,
          .informative = found.informative,
          .may_be_empty = found.may_be_empty};
}

template <class Law>
Result<NumberMaker> rows_maker(const Measurement& one, const Law& law, noise::ValueRange bounds, Alpha level) {
  using Inference = interval::PublicCountMeanInference<Law>;
  return Inference::of(law, one.steps, bounds, level).map([bounds](const Inference& inference) -> NumberMaker {
    return [inference, bounds](Noisy noisy) -> Result<Number> {
      if (noisy[0] == 0) return of_no_rows(bounds, Status::proven, Covers::bounded_value);
      return inference.from(noisy[1], noisy[0]).map([](const interval::MeanInterval& found) {
        return published(found, interval::MeanInterval::status);
      });
    };
  });
}

template <class Law>
Result<NumberMaker> population_maker(const plan::BoundStatistic& statistic, const Measurement& one, const Law& law,
                                     noise::ValueRange bounds, Alpha level) {
  using Inference = interval::PublicCountPopulationMean<Law>;
  const bool is_guaranteed = statistic.inference.is_guaranteed;
  const auto assurance = is_guaranteed ? interval::Assurance::guaranteed : interval::Assurance::usual;
  const Status status = is_guaranteed ? Status::proven : Status::tested;
  return plan::nodes_of(one)
      .and_then([&](const interval::MeanNodes& nodes) {
        return Inference::of(law, nodes, bounds, level, assurance, plan::design_of(statistic));
      })
      .map([bounds, status](const Inference& inference) -> NumberMaker {
        return [inference, bounds, status](Noisy noisy) -> Result<Number> {
          if (noisy[0] == 0) return of_no_rows(bounds, status, Covers::population);
          return inference.from(noisy.subspan(1), noisy[0]).map([](const interval::PopulationInterval& found) {
            return published(found, found.status);
          });
        };
      });
}

}  // namespace

void write_public_count(const Measurement& measurement, const std::array<std::int64_t, 3>& tallies,
                        std::span<std::int64_t> out) {
  const auto put = [&](std::size_t place, Int128 value) {
    out[place] = static_cast<std::int64_t>(std::clamp<Int128>(value, measurement.least, measurement.greatest));
  };
  const auto& [rows, first, second] = tallies;
  out[0] = rows;
  put(1, first);
  if (measurement.kind == MeasurementKind::public_mean) return;
  put(2, Int128{measurement.steps} * measurement.fineness * rows - first - second);
  put(3, second);
}

Failure more_rows_than_may_be(const query::Table& table) {
  return fail(ErrorKind::system, "the table '" + table.name +
                                     "' has more rows, a number that is public, than its row_limit of " +
                                     std::to_string(table.row_limit) + "; raise it in the catalog");
}

Result<NumberMaker> public_count_maker(const plan::BoundStatistic& statistic, const Measurement& measurement,
                                       const plan::AdditiveLaw& law, Alpha level) {
  const bool is_of_population = measurement.kind == MeasurementKind::public_moments;
  if (measurement.figure != plan::Figure::mean || is_of_population != statistic.inference.of_population) {
    return invalid("it is published as something that its sums do not hold");
  }
  return bounds_of(measurement).and_then([&](const noise::ValueRange& bounds) {
    return std::visit(
        [&](const auto& known) {
          return is_of_population ? population_maker(statistic, measurement, known, bounds, level)
                                  : rows_maker(measurement, known, bounds, level);
        },
        law);
  });
}

std::optional<std::int64_t> public_rows(const plan::BoundStatistic& statistic, const Table& table) {
  for (std::size_t i = 0; i < statistic.measurements.size(); ++i) {
    const bool is_there = plan::has_public_count(statistic.measurements[i].kind) && !table.rows.empty();
    if (is_there) return noisy_column(statistic, i).of(table.rows.front()).front();
  }
  return std::nullopt;
}

}  // namespace vernier::release
