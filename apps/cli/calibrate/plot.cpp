#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/calibrate/report.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using plot::Colour;
using privacy::Delta;
using privacy::Epsilon;

constexpr int points_across = 480;
constexpr double least_epsilon = 1e-10, greatest_epsilon = 1e4;
constexpr double aside = 10;  // how far the axis reaches to either side of a single epsilon, as a factor
constexpr double headroom = 1.25;

struct Contender {
  std::string name;
  Colour colour;
};

// The coarse curve of whole numbers before the smooth one that lies over it.
const std::vector<Contender>& contenders() {
  static const std::vector<Contender> all = {{"geometric", Colour::second},
                                             {"laplace", Colour::first},
                                             {"discrete-gaussian", Colour::fourth},
                                             {"gaussian", Colour::third}};
  return all;
}

Colour colour_of(std::string_view mechanism) {
  return std::find_if(contenders().begin(), contenders().end(),
                      [&](const Contender& contender) { return contender.name == mechanism; })
      ->colour;
}

struct Range {
  double low;
  double high;
};

// From the least to the greatest epsilon of the answers; around it where there is but one.
Range epsilons(const std::vector<Answer>& answers) {
  Range range{greatest_epsilon, least_epsilon};
  for (const Answer& answer : answers) {
    const double epsilon = std::clamp(*answer.figures.epsilon, least_epsilon, greatest_epsilon);
    range = {std::min(range.low, epsilon), std::max(range.high, epsilon)};
  }
  if (range.high > 1.01 * range.low) return range;
  return {std::max(range.low / aside, least_epsilon), std::min(range.high * aside, greatest_epsilon)};
}

// None where the mechanism does not take the sensitivity.
std::optional<Subject> contending(const Contender& contender, const Subject& asked) {
  if (contender.name == asked.mechanism) return asked;
  const Result<Subject> subject =
      subject_named(contender.name, {shortest(asked.sensitivity), typed_decimal(asked.sensitivity)}, std::nullopt);
  return subject ? std::optional(*subject) : std::nullopt;
}

double epsilon_at(Range range, int step) {
  const double share = static_cast<double>(step) / points_across;
  return std::clamp(range.low * std::pow(range.high / range.low, share), range.low, range.high);
}

// The curve, without the epsilons that the mechanism refuses: those where a calibration has no proof, or no such scale.
std::vector<plot::Point> curve(const Subject& subject, Delta delta, const Question& question, accuracy::Cells cells,
                               Range range) {
  std::vector<plot::Point> points;
  for (int step = 0; step <= points_across; ++step) {
    const Result<Epsilon> epsilon = Epsilon::of(epsilon_at(range, step));
    if (!epsilon) continue;
    const auto figures = accuracy::calibrate(subject.family, accuracy::Budget{*epsilon, delta}, question.alpha, cells);
    if (figures) points.push_back({epsilon->value(), figures->accuracy.accuracy});
  }
  return points;
}

// The accuracies above 0 of all curves; an accuracy of 0, which integer noise can have, has no place on the axis.
Range accuracies(const std::vector<plot::Series>& series) {
  Range range{std::numeric_limits<double>::infinity(), 0};
  for (const plot::Series& one : series) {
    for (const plot::Point& point : std::get<plot::Line>(one).points) {
      if (point.y > 0) range = {std::min(range.low, point.y), std::max(range.high, point.y)};
    }
  }
  if (range.high == 0) return {0.5, 2};
  return {range.low / headroom, range.high * headroom};
}

// Points of accuracy 0 go below the frame, where they are cut.
void sink(std::vector<plot::Point>& points, double floor) {
  for (plot::Point& point : points) point.y = std::max(point.y, floor / aside);
}

std::string subtitle(const CalibrateRequest& request, const Answer& answer) {
  const std::string cells = request.cells.value() == 1 ? "" : fmt::format(", {} cells together", request.cells.value());
  return fmt::format("delta {}, alpha {}, sensitivity {}{}", shortest(*answer.figures.delta),
                     shortest(answer.question.stated.alpha.nearest), shortest(request.subject.sensitivity), cells);
}

std::vector<plot::Series> curves(const CalibrateRequest& request, const Answer& answer, Delta delta, Range range) {
  std::vector<plot::Series> series;
  for (const Contender& contender : contenders()) {
    const std::optional<Subject> subject = contending(contender, request.subject);
    if (!subject) continue;
    std::vector<plot::Point> points = curve(*subject, delta, answer.question, request.cells, range);
    if (!points.empty()) series.emplace_back(plot::Line{contender.name, contender.colour, std::move(points)});
  }
  return series;
}

}  // namespace

Result<plot::Chart> calibrate_chart(const CalibrateRequest& request, const std::vector<Answer>& answers) {
  const Answer& answer = answers.front();
  VERNIER_TRY(const Delta delta, Delta::of(*answer.figures.delta));
  const Range across = epsilons(answers);
  plot::Chart chart;
  chart.series = curves(request, answer, delta, across);
  const Range up = accuracies(chart.series);
  for (plot::Series& series : chart.series) sink(std::get<plot::Line>(series).points, up.low);
  if (answers.size() == 1 && answer.figures.epsilon > 0 && answer.figures.accuracy.accuracy > 0) {
    const plot::Point asked{*answer.figures.epsilon, answer.figures.accuracy.accuracy};
    chart.series.emplace_back(plot::Dots{"this release", colour_of(request.subject.mechanism), {asked}});
  }
  chart.title = "Accuracy against epsilon";
  chart.subtitle = subtitle(request, answer);
  chart.x = {"epsilon", across.low, across.high, 0, true};
  const std::string confidence = text::confidence_text(answer.question.stated.alpha.nearest);
  chart.y = {fmt::format("accuracy (± with probability {})", confidence), up.low, up.high, 0, true};
  chart.legend = plot::Legend::inside;
  return chart;
}

}  // namespace vernier::cli
