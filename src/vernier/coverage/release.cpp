#include "vernier/coverage/release.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "vernier/interval/population/public_count_mean.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/mechanism/discrete_gaussian.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/mechanism/geometric.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/plan/statistic/nodes.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::coverage {
namespace {

using privacy::IntegerSensitivity;

template <class Mechanism>
Result<Law> calibrated(const Question& question, const Point& point, IntegerSensitivity shift) {
  return Mechanism::calibrate(point.epsilon, question.delta, shift).map([](const Mechanism& found) {
    return Law(found.law());
  });
}

Result<IntegerSensitivity> moved_by(LawKind kind, const Question& question, std::int64_t shift) {
  if (!question.public_count || question.covers != interval::Covers::population) return IntegerSensitivity::of(shift);
  if (kind == LawKind::geometric) return IntegerSensitivity::of(2 * shift);
  return IntegerSensitivity::of(static_cast<std::int64_t>(std::ceil(1.4142135623730952 * static_cast<double>(shift))));
}

Result<Law> calibrated(LawKind kind, const Question& question, const Point& point, std::int64_t by) {
  VERNIER_TRY(const IntegerSensitivity moved, moved_by(kind, question, by));
  const IntegerSensitivity shift = moved;
  if (kind == LawKind::geometric) return calibrated<mechanism::GeometricMechanism>(question, point, shift);
  if (question.delta.is_pure()) return invalid("discrete Gaussian noise needs a delta above 0; give --delta");
  return calibrated<mechanism::DiscreteGaussianMechanism>(question, point, shift);
}

Result<std::int64_t> accuracy_of(const Law& law, Alpha alpha) {
  return std::visit([&](const auto& one) { return interval::additive_accuracy(one, alpha); }, law);
}

}  // namespace

Result<Law> law_for(const Question& question, const Point& point, std::int64_t shift) {
  if (question.law) return calibrated(*question.law, question, point, shift);
  const Result<Law> geometric = calibrated(LawKind::geometric, question, point, shift);
  if (!geometric || question.delta.is_pure()) return geometric;
  const Result<Law> gaussian = calibrated(LawKind::discrete_gaussian, question, point, shift);
  if (!gaussian) return geometric;
  const auto reach = accuracy_of(*geometric, point.alpha), other = accuracy_of(*gaussian, point.alpha);
  if (!reach) return Failure(reach.error());
  return other && *other < *reach ? gaussian : geometric;
}

Result<noise::Exponential> choice_law_for(const Point& point, std::int64_t shift) {
  const double scale = numeric::divide_up(static_cast<double>(shift), point.epsilon.value());
  return LaplaceScale::of(std::max(scale, noise::least_integer_scale)).and_then(noise::Exponential::of);
}

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

namespace {

Result<void> check(const Question& question, const Point& point) {
  if (point.size < 1) return invalid("a sample needs at least one row, but --size is " + std::to_string(point.size));
  if (question.statistic == Statistic::proportion && point.grid.steps() != 1) {
    return invalid("a proportion is of two values, so its bounds must be one step of the granularity apart");
  }
  const bool is_mean = question.statistic == Statistic::mean || question.statistic == Statistic::proportion;
  if (!is_mean && (question.public_count || is_lecture(question.method))) {
    return invalid("the number of rows can be public for means and proportions only");
  }
  return {};
}

double lecture_sigma(double epsilon, double delta, double sensitivity) {
  return sensitivity / epsilon * std::sqrt(2 * std::log(1.25 / delta));
}

Result<noise::Gaussian> lecture_law(const Question& question, const Point& point) {
  const double sensitivity = point.grid.range() / static_cast<double>(point.size);
  if (question.method == Method::lecture_classical) {  // also beyond epsilon 1, where nobody has proven it
    return Sigma::of(lecture_sigma(point.epsilon.value(), question.delta.value(), sensitivity))
        .map(noise::Gaussian::of);
  }
  VERNIER_TRY(const privacy::L2Sensitivity moved, privacy::L2Sensitivity::of(sensitivity));
  return mechanism::GaussianMechanism::calibrate(point.epsilon, question.delta, moved).map([](const auto& found) {
    return found.law();
  });
}

}  // namespace

std::vector<RowSums> node_rows(const PlacedPopulation& population, const MeanNodes& nodes) {
  std::vector<RowSums> rows;
  for (const std::int64_t step : population.steps()) rows.push_back(nodes.row(step));
  return rows;
}

Result<MeanNodes> mean_nodes(const ValueGrid& grid) { return MeanNodes::of(interval::Basis::two, grid.steps()); }

Result<MeanNodes> moment_nodes(const ValueGrid& grid) {
  return MeanNodes::moments(grid.steps(), plan::moment_fineness(grid.steps(), query::default_row_limit, 1));
}

Result<RankParts> rank_parts(const Question& question, const Point& point) {
  VERNIER_TRY(const noise::RankGrid grid, noise::RankGrid::of(point.grid.steps()));
  const auto& [parts, whole] = question.fraction;
  const bool is_of_population = question.covers == interval::Covers::population;
  VERNIER_TRY(const auto statistic, is_of_population
                                        ? noise::RankStatistic::sample_quantile(parts, whole, grid.points())
                                        : noise::RankStatistic::quantile(parts, whole, grid.points()));
  return choice_law_for(point, statistic.row_moves()).map([&](const noise::Exponential& law) {
    return RankParts{grid, statistic, law};
  });
}

Result<Release> lecture_release(const Question& question, const Point& point) {
  if (question.delta.is_pure()) return invalid("the lecture's interval needs a delta above 0; give --delta");
  VERNIER_TRY(const noise::Gaussian law, lecture_law(question, point));
  return law.two_sided_quantile(*Probability::of(point.alpha.value())).map([&](Real accuracy) {
    return Release(LectureRelease{noise::on_grid(law), accuracy.value()});
  });
}

Result<Release> release_of(const Question& question, const Point& point, const PlacedPopulation& population) {
  VERNIER_TRY(check(question, point));
  if (is_lecture(question.method)) return lecture_release(question, point);
  return question.covers == interval::Covers::population ? population_release(question, point, population)
                                                         : sample_release(question, point, population);
}

double sampled_part(const Question& question, const Point& point, const PlacedPopulation& population) {
  const bool is_total = question.statistic == Statistic::count || question.statistic == Statistic::sum;
  if (!is_total || question.covers != interval::Covers::population) return 0;
  return static_cast<double>(point.size) / static_cast<double>(population.members().size());
}

std::string_view law_name(const Release& release) {
  if (std::holds_alternative<EndsRelease>(release)) return "exponential";
  if (std::holds_alternative<LectureRelease>(release)) return "gaussian";
  return std::get<SumsRelease>(release).noise.index() == 0 ? "geometric" : "discrete-gaussian";
}

}  // namespace vernier::coverage
