#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "cli/coverage/coverage.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {
namespace {

using coverage::Found;
using coverage::Report;
using coverage::Shown;
using plot::Colour;

constexpr Colour claimed = Colour::first, seen = Colour::second, wrong = Colour::sixth;
constexpr double margin = 0.04;  // of an axis, beyond what is drawn

plot::Axis axis_over(std::string title, double low, double high) {
  const double aside = high > low ? margin * (high - low) : std::max(std::abs(low), 1.0) / 2;
  return {std::move(title), low - aside, high + aside};
}

std::string swept_key(const CoverageRequest& request) {
  return request.swept.empty() ? "epsilon" : request.swept.front();
}

// The chart of points with their bars: a name for the first of those that stand and of those that are refuted.
void add_points(plot::Chart& chart, const Report& report, const std::string& key, bool refuted) {
  plot::Dots dots{refuted ? "refuted" : "coverage", refuted ? wrong : seen, {}};
  for (const Found& one : report.points) {
    if (one.refuted != refuted) continue;
    const double x = value_of(one.point, key);
    chart.series.emplace_back(plot::Line{"", dots.colour, {{x, one.chance.lower}, {x, one.chance.upper}}});
    dots.points.push_back({x, one.coverage});
  }
  if (!dots.points.empty()) chart.series.emplace_back(std::move(dots));
}

plot::Line claim_line(const Report& report, const std::string& key, const plot::Axis& x) {
  plot::Line line{"claim", claimed, {}, plot::Stroke::dashed};
  for (const Found& one : report.points) line.points.push_back({value_of(one.point, key), 1 - one.point.alpha.value()});
  if (key == "alpha") return line;
  return {"claim", claimed, {{x.low, line.points.front().y}, {x.high, line.points.front().y}}, plot::Stroke::dashed};
}

std::string subtitle(const CoverageRequest& request, const Report& report) {
  return fmt::format("{}; {} samples a point", subject_text(request), text::grouped(report.simulations));
}

// An interval as it is drawn, from where to where, and whether it holds.
struct Drawn {
  double low, high;
  bool held;
};

std::vector<Drawn> drawn_of(const CoverageRequest& request, const std::vector<Shown>& shown) {
  const bool is_population = request.question.covers == interval::Covers::population;
  std::vector<Drawn> drawn;
  for (const Shown& one : shown) {
    const double from = is_population ? 0 : one.truth;
    drawn.push_back({one.interval.low - from, one.interval.high - from, one.held});
  }
  return drawn;
}

void add_intervals(plot::Chart& chart, const std::vector<Drawn>& drawn, bool held) {
  std::string name = held ? "holds it" : "misses it";
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    if (drawn[i].held != held) continue;
    const auto y = static_cast<double>(i + 1);
    chart.series.emplace_back(
        plot::Line{std::exchange(name, ""), held ? seen : wrong, {{drawn[i].low, y}, {drawn[i].high, y}}});
  }
}

std::string point_text(const CoverageRequest& request, const Found& one) {
  std::string text;
  for (const std::string& key : request.swept) text += fmt::format(", {} {}", key, shortest(value_of(one.point, key)));
  return text;
}

}  // namespace

plot::Chart coverage_chart(const CoverageRequest& request, const Report& report) {
  const std::string key = swept_key(request);
  plot::Chart chart;
  chart.title = fmt::format("How often the interval holds the {}'s value", covered_text(request));
  chart.subtitle = subtitle(request, report);
  chart.legend = plot::Legend::below;
  chart.x = axis_over(key, value_of(report.points.front().point, key), value_of(report.points.back().point, key));
  double lowest = 1;
  for (const Found& one : report.points) lowest = std::min({lowest, one.chance.lower, 1 - one.point.alpha.value()});
  chart.y = axis_over("part of the intervals", lowest, 1);
  chart.series.emplace_back(claim_line(report, key, chart.x));
  add_points(chart, report, key, false);
  add_points(chart, report, key, true);
  return chart;
}

plot::Chart intervals_chart(const CoverageRequest& request, const Report& report) {
  const Found& last = report.points.back();
  const bool is_population = request.question.covers == interval::Covers::population;
  const std::vector<Drawn> drawn = drawn_of(request, last.shown);
  const double truth = is_population && !last.shown.empty() ? last.shown.front().truth : 0;
  double low = truth, high = truth;
  for (const Drawn& one : drawn) low = std::min(low, one.low), high = std::max(high, one.high);
  plot::Chart chart;
  chart.title = fmt::format("{} intervals and the {}'s value", drawn.size(), covered_text(request));
  chart.subtitle = subject_text(request) + point_text(request, last);
  chart.legend = plot::Legend::below;
  chart.x = axis_over(is_population ? request.statistic : fmt::format("{}, from the sample's own", request.statistic),
                      low, high);
  const double count = static_cast<double>(std::max<std::size_t>(drawn.size(), 1));
  chart.y = {"simulation", 0, count + 1, 1};
  add_intervals(chart, drawn, true);
  add_intervals(chart, drawn, false);
  chart.series.emplace_back(plot::Line{"the value", claimed, {{truth, 0}, {truth, count + 1}}, plot::Stroke::dashed});
  return chart;
}

std::string intervals_file(const std::string& plot) {
  return plot.substr(0, plot.size() - 4) + "-intervals" + plot.substr(plot.size() - 4);
}

}  // namespace vernier::cli
