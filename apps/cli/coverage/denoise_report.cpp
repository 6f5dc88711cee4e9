#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/coverage/denoise.hpp"
#include "cli/output.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using denoise::Outcome;

// Squared distances, of the same vectors and the same noise.
double over_raw(const DenoisePoint& point, const Outcome& outcome) {
  return outcome.error.mean() / point.outcomes.front().error.mean();
}

// ---- for a person

Row row_of(const DenoiseRequest& request, const DenoisePoint& point) {
  Row row = {std::string(name_of(point.shape)), shortest(point.epsilon),
             text::grouped(static_cast<std::int64_t>(point.dimension)),
             nearest_text(point.distance(point.outcomes.front(), request.size), 3)};
  for (const Outcome& outcome : point.outcomes) {
    if (outcome.entrant == denoise::Entrant::raw) continue;
    row.push_back(fmt::format("{:.3f}{}", over_raw(point, outcome), outcome.is_refuted ? " refuted" : ""));
  }
  return row;
}

void write_text(Output& output, const DenoiseRequest& request, const std::vector<DenoisePoint>& points) {
  output.write(fmt::format(
      "means of {} rows of length 1 at most; discrete-gaussian noise, delta {}, {} vectors at each point\n"
      "raw: distance between the released mean and the exact one; the others: squared distance over that of raw\n\n",
      text::grouped(request.size), shortest(request.delta), text::grouped(request.simulations)));
  std::vector<Heading> headings = {
      {"vector", Align::left}, {"epsilon", Align::right}, {"dimension", Align::right}, {"raw", Align::right}};
  for (const denoise::Entrant entrant : denoise::entrants) {
    if (entrant != denoise::Entrant::raw) headings.push_back({std::string(name_of(entrant)), Align::right});
  }
  std::vector<Row> rows;
  for (const DenoisePoint& point : points) rows.push_back(row_of(request, point));
  write_aligned(output, headings, rows);
  if (std::any_of(points.begin(), points.end(), [](const auto& point) { return point.is_refuted(); })) return;
  output.write(
      "\nJames-Stein is nowhere worse than raw, and it and the universal threshold keep to what theory bounds them "
      "by, within six standard errors.\n");
}

// ---- for programs

void write_outcome(JsonWriter& json, const DenoiseRequest& request, const DenoisePoint& point, const Outcome& outcome) {
  json.begin_object();
  json.member("method", name_of(outcome.entrant));
  json.member("over_raw", over_raw(point, outcome));
  json.member("error", outcome.error.mean());
  json.member("standard_error", outcome.error.standard_error());
  json.member("distance", point.distance(outcome, request.size));
  if (outcome.bound) json.member("bound", *outcome.bound);
  json.key("refuted");
  json.boolean(outcome.is_refuted);
  json.end_object();
}

void write_point(JsonWriter& json, const DenoiseRequest& request, const DenoisePoint& point) {
  json.begin_object();
  json.member("vector", name_of(point.shape));
  json.member("epsilon", point.epsilon);
  json.member("dimension", static_cast<std::int64_t>(point.dimension));
  json.member("sigma", point.sigma);
  json.key("methods");
  json.begin_array();
  for (const Outcome& outcome : point.outcomes) write_outcome(json, request, point, outcome);
  json.end_array();
  json.end_object();
}

void write_json(Output& output, const DenoiseRequest& request, const std::vector<DenoisePoint>& points) {
  JsonWriter json(output);
  json.begin_object();
  json.member("mechanism", std::string_view("discrete-gaussian"));
  json.member("delta", request.delta);
  json.member("size", request.size);
  json.member("simulations", std::int64_t{request.simulations});
  json.key("points");
  json.begin_array();
  for (const DenoisePoint& point : points) write_point(json, request, point);
  json.end_array();
  json.key("refuted");
  json.boolean(std::any_of(points.begin(), points.end(), [](const auto& point) { return point.is_refuted(); }));
  json.end_object();
  output.write("\n");
}

}  // namespace

std::string denoise_refutation(const std::vector<DenoisePoint>& points) {
  for (const DenoisePoint& point : points) {
    for (const Outcome& outcome : point.outcomes) {
      if (!outcome.is_refuted) continue;
      return fmt::format(
          "the error of {} on {} vectors of dimension {} at epsilon {} is {:.4f} times the variance of the noise, and "
          "theory bounds it by {:.4f}; chance explains that in one of a billion runs at most",
          name_of(outcome.entrant), name_of(point.shape), shortest(point.dimension), shortest(point.epsilon),
          outcome.error.mean(), std::min(*outcome.bound, 1.0));
    }
  }
  return {};
}

void write_denoise_report(Output& output, const DenoiseRequest& request, const std::vector<DenoisePoint>& points) {
  request.json ? write_json(output, request, points) : write_text(output, request, points);
}

namespace {

using plot::Colour;

constexpr double aside = 1.15;  // a factor, beyond what is drawn
constexpr Colour colours[] = {Colour::first, Colour::second, Colour::third, Colour::fourth, Colour::fifth};

// The points of one line: those of the shape, and of the smallest epsilon where the dimension varies.
std::vector<const DenoisePoint*> drawn_points(const DenoiseRequest& request, const std::vector<DenoisePoint>& points,
                                              denoise::Shape shape) {
  const bool by_dimension = request.dimension.size() > 1;
  const double least = *std::min_element(request.epsilon.begin(), request.epsilon.end());
  std::vector<const DenoisePoint*> drawn;
  for (const DenoisePoint& point : points) {
    if (point.shape == shape && (!by_dimension || point.epsilon == least)) drawn.push_back(&point);
  }
  return drawn;
}

plot::Axis axis_over(std::string title, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {std::move(title), *low / aside, *high * aside, 0, true};
}

}  // namespace

plot::Chart denoise_chart(const DenoiseRequest& request, const std::vector<DenoisePoint>& points,
                          denoise::Shape shape) {
  const bool by_dimension = request.dimension.size() > 1;
  const auto drawn = drawn_points(request, points, shape);
  const auto place = [&](const DenoisePoint& point) { return by_dimension ? point.dimension : point.epsilon; };
  plot::Chart chart;
  chart.title = fmt::format("How far denoised means are from the exact ones: {} vectors", name_of(shape));
  chart.subtitle = fmt::format(
      "{} rows, {}, delta {}, {} vectors a point", text::grouped(request.size),
      by_dimension ? "epsilon " + shortest(drawn.front()->epsilon) : "dimension " + shortest(drawn.front()->dimension),
      shortest(request.delta), text::grouped(request.simulations));
  chart.legend = plot::Legend::below;
  std::vector<double> xs, ys;
  for (std::size_t i = 0; i < std::size(denoise::entrants); ++i) {
    const auto stroke = denoise::entrants[i] == denoise::Entrant::raw ? plot::Stroke::dashed : plot::Stroke::solid;
    plot::Line line{std::string(name_of(denoise::entrants[i])), colours[i], {}, stroke};
    for (const DenoisePoint* const point : drawn) {
      line.points.push_back({place(*point), std::max(point->distance(point->outcomes[i], request.size), 1e-12)});
      xs.push_back(line.points.back().x);
      ys.push_back(line.points.back().y);
    }
    std::sort(line.points.begin(), line.points.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
    chart.series.emplace_back(std::move(line));
  }
  chart.x = axis_over(by_dimension ? "dimension" : "epsilon", xs);
  chart.y = axis_over("distance", ys);
  return chart;
}

std::string sparse_file(const std::string& plot) {
  return plot.substr(0, plot.size() - 4) + "-sparse" + plot.substr(plot.size() - 4);
}

}  // namespace vernier::cli
