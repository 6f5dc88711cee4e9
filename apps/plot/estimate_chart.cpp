#include "plot/estimate_chart.hpp"

#include <algorithm>
#include <utility>

#include "plot/chart_style.hpp"
#include "plot/estimate_parts.hpp"
#include "plot/words.hpp"

namespace vernier::plot {
namespace {

constexpr double wide = 880, narrow = 344, edge = 20, titles_height = 84;

double height_of(const EstimateChart& chart, const Canvas& canvas) {
  return chart.form == EstimateForm::rows ? height_of_rows(chart, canvas) : height_of_curves(chart, canvas);
}

void draw(Svg& svg, const EstimateChart& chart, const Canvas& canvas) {
  chart.form == EstimateForm::rows ? draw_rows(svg, chart, canvas) : draw_curves(svg, chart, canvas);
}

}  // namespace

double Scale::at(double value) const {
  const double share = (std::clamp(value, low, high) - low) / (high - low);
  return begin + share * (end - begin);
}

std::string titled(const std::string& title, const Ticks& ticks) {
  return ticks.exponent == 0 ? title : title + " (" + power_of_ten(ticks.exponent) + ")";
}

std::string render(const EstimateChart& chart) {
  const Canvas canvas{wide, titles_height, false};
  const double height = height_of(chart, canvas);
  Svg svg(wide + 2 * edge, height + edge, chart.title, chart.subtitle, chart_style());
  svg.rectangle("surface", 0, 0, wide + 2 * edge, height + edge);
  svg.text("title", edge, 38, Anchor::start, fitted(chart.title, wide, 21));
  svg.text("note", edge, 62, Anchor::start, fitted(chart.subtitle, wide, 14));
  svg.begin_shift(edge, 0);
  draw(svg, chart, canvas);
  svg.end_shift();
  return std::move(svg).finish();
}

std::string render_inside(const EstimateChart& chart, Width width, const std::string& id) {
  const bool is_narrow = width == Width::narrow;
  const Canvas canvas{is_narrow ? narrow : wide, 4, is_narrow};
  Svg svg(canvas.width, height_of(chart, canvas), {id, chart.title, chart.subtitle});
  draw(svg, chart, canvas);
  return std::move(svg).finish();
}

}  // namespace vernier::plot
