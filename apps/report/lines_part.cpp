#include <algorithm>

#include <fmt/format.h>

#include "plot/chart.hpp"
#include "report/parts.hpp"
#include "report/shown.hpp"
#include "report/text.hpp"
#include "vernier/release/derived/line.hpp"

namespace vernier::report {
namespace {

using release::Line;
using release::LinePoint;

constexpr std::size_t most_lines = 12;
constexpr int pieces = 40;  // of each half of the range of x

// An end of the band, or the line, over the range of x: straight from point to point, and cut where the picture ends.
template <class Of>
std::vector<plot::Point> drawn(const Line& line, const plot::Axis& axis, const Of& of) {
  std::vector<plot::Point> drawn;
  for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
    const LinePoint &from = line.points[i], &to = line.points[i + 1];
    for (int piece = i == 0 ? 0 : 1; piece <= pieces; ++piece) {
      const double part = static_cast<double>(piece) / pieces;
      const double y = of(from) * (1 - part) + of(to) * part;
      drawn.push_back({from.x * (1 - part) + to.x * part, std::clamp(y, axis.low, axis.high)});
    }
  }
  return drawn;
}

// The declared range of y; where the line itself leaves it, as far as that.
plot::Axis y_axis(const Line& line) {
  plot::Axis axis{line.y, line.y_low, line.y_high};
  for (const LinePoint& point : line.points) {
    axis.low = std::min(axis.low, point.y), axis.high = std::max(axis.high, point.y);
  }
  return axis;
}

std::string group_of(const plan::BoundStatistic& statistic, const release::Row& row) {
  std::string name;
  for (std::size_t i = 0; i < row.keys.size(); ++i) {
    name += (i == 0 ? "" : ", ") + key_text(statistic.query.keys[i], statistic.table, row.keys[i]);
  }
  return name;
}

plot::Chart chart_of(const Line& line, const std::string& group, const std::string& confidence) {
  plot::Chart chart;
  chart.title = line.y + " by " + line.x;
  chart.subtitle = group;
  chart.x = {line.x, line.points.front().x, line.points.back().x};
  chart.y = y_axis(line);
  const auto add = [&](const std::string& name, plot::Stroke stroke, const auto& of) {
    const auto colour = stroke == plot::Stroke::solid ? plot::Colour::first : plot::Colour::third;
    chart.series.emplace_back(plot::Line{name, colour, drawn(line, chart.y, of), stroke});
  };
  add("line of least squares", plot::Stroke::solid, [](const LinePoint& point) { return point.y; });
  add("the whole exact line lies between these: " + confidence, plot::Stroke::dotted,
      [](const LinePoint& point) { return point.interval.low; });
  add("", plot::Stroke::dotted, [](const LinePoint& point) { return point.interval.high; });
  return chart;
}

}  // namespace

void write_lines(Html& html, const Facts& facts, std::size_t place) {
  const plan::Plan& plan = facts.release.plan;
  const plan::BoundStatistic& statistic = plan.study.statistics[place];
  const release::Table& table = facts.release.tables[place];
  const auto lines = lines_of(statistic, plan.statistics[place], table, plan.study.alpha, most_lines);
  if (!lines || lines->empty()) return;
  const std::string confidence = confidence_of(statistic, facts.asked.alpha);
  for (const Line& line : *lines) {
    html.begin("figure");
    html.trusted(plot::render(chart_of(line, group_of(statistic, table.rows[line.row]), confidence)));
    html.end();
  }
  html.element(
      "p",
      "The pictures show lines over the declared ranges, and no rows: where rows lie, and whether a line suits "
      "them, nothing here tells.",
      {{"class", "quiet"}});
}

}  // namespace vernier::report
