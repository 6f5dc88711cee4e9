#include "plot/estimate_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "plot/estimate_parts.hpp"
#include "plot/style.hpp"

namespace vernier::plot {
namespace {

constexpr double near_zero = 0.5;  // zero is shown where the least number is below this part of the greatest
constexpr double margin = 0.04;    // of the range, beyond its ends
constexpr double infinity = std::numeric_limits<double>::infinity();

struct Ends {
  double low = infinity;
  double high = -infinity;

  void take(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

Ends ends_of(const EstimateChart& chart, bool informative) {
  Ends ends;
  for (const EstimatePanel& panel : chart.panels) {
    for (const std::optional<Estimate>& estimate : panel.estimates) {
      if (!estimate || estimate->informative != informative) continue;
      for (const double value : {estimate->low, estimate->value, estimate->high}) ends.take(value);
      if (estimate->denoised) ends.take(*estimate->denoised);
    }
  }
  return ends;
}

Ends with_zero_where_near(Ends ends) {
  if (ends.low > 0 && ends.low <= near_zero * ends.high) ends.low = 0;
  if (ends.high < 0 && ends.high >= near_zero * ends.low) ends.high = 0;
  return ends;
}

}  // namespace

ValueRange value_range(const EstimateChart& chart) {
  Ends ends = ends_of(chart, true);
  if (ends.is_empty()) ends = ends_of(chart, false);
  if (ends.is_empty()) return {0, 1, true};
  ends = with_zero_where_near(ends);
  const double least = std::max(std::abs(ends.high), std::abs(ends.low)) * 1e-9;
  double width = margin * (ends.high - ends.low);
  if (!(ends.high - ends.low > least)) width = std::max(1.0, margin * std::abs(ends.high));
  const double low = ends.low == 0 ? 0 : ends.low - width, high = ends.high == 0 && low < 0 ? 0 : ends.high + width;
  return {low, high, low <= 0 && high >= 0};
}

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
