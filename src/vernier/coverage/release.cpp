#include "vernier/coverage/release.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/coverage/release_parts.hpp"
#include "vernier/mechanism/gaussian.hpp"
#include "vernier/plan/moments.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::coverage {
namespace {

using interval::MeanNodes;

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
