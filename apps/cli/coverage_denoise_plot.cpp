#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "cli/coverage_denoise.hpp"
#include "cli/grouped_text.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
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
