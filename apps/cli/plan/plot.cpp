#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "cli/plan/plan.hpp"
#include "cli/plan/tables.hpp"
#include "report/text.hpp"
#include "text/numbers.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::cli {
namespace {

using plot::Colour;
using plot::Stroke;

constexpr std::array<Colour, 6> colours = {Colour::second, Colour::first, Colour::third,
                                           Colour::fourth, Colour::fifth, Colour::sixth};
constexpr std::size_t most_curves = 2 * colours.size();  // solid, and then dashed
constexpr double headroom = 1.25, below = 1e-3;

Colour colour_at(std::size_t rank) { return colours[rank % colours.size()]; }

// A published column, or the tables of so many columns: how accurate it is at each point, and what was wanted of it.
struct Column {
  std::string name;
  std::vector<double> accuracies;
  double accuracy;  // of the plan
  std::optional<double> target;
};

std::vector<double> accuracies_at(const std::vector<WhatIf>& points, std::size_t place) {
  std::vector<double> accuracies;
  for (const WhatIf& point : points) accuracies.push_back(point.accuracies[place]);
  return accuracies;
}

// Of the worst of its tables; targets may differ among them, and are not drawn.
void add_tables(std::vector<Column>& columns, const plan::Plan& plan, const std::vector<WhatIf>& points) {
  for (const TableOrder& one : orders_of_tables(plan)) {
    Column& column = columns.emplace_back(Column{one.name + ": " + one.words, {}, one.accuracy, std::nullopt});
    for (const WhatIf& point : points) column.accuracies.push_back(worst_at(plan, one, point));
  }
}

std::vector<Column> columns_of(const plan::Plan& plan, const std::vector<WhatIf>& points) {
  std::vector<Column> columns;
  std::size_t place = 0;
  for (std::size_t i = 0; i < plan.statistics.size(); ++i) {
    const plan::BoundStatistic& statistic = plan.study.statistics[i];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j, ++place) {
      const plan::Measurement& measurement = statistic.measurements[j];
      if (!measurement.aggregation) continue;
      const std::string column = plan::column_of(statistic, measurement);
      columns.push_back({statistic.name + ": " + column, accuracies_at(points, place),
                         plan.statistics[i].noise[j].accuracy,
                         measurement.target ? std::optional(nearest(*measurement.target)) : std::nullopt});
    }
  }
  add_tables(columns, plan, points);
  return columns;
}

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;

  void take(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;  // an accuracy of 0 has no place on the axis
    low = std::min(low, value);
    high = std::max(high, value);
  }
  Range with_room() const { return high > 0 ? Range{low / headroom, high * headroom} : Range{0.5, 2}; }
};

Range accuracies_of(const std::vector<Column>& columns) {
  Range range;
  for (const Column& column : columns) {
    for (const double accuracy : column.accuracies) range.take(accuracy);
    if (column.target) range.take(*column.target);
  }
  return range.with_room();
}

// What is 0 goes below the frame, where it is cut.
plot::Line curve_of(const Column& column, std::size_t rank, const std::vector<WhatIf>& points, const Range& up) {
  plot::Line line{column.name, colour_at(rank), {}, rank < colours.size() ? Stroke::solid : Stroke::dashed};
  for (std::size_t i = 0; i < points.size(); ++i) {
    line.points.push_back({points[i].epsilon, std::max(column.accuracies[i], up.low * below)});
  }
  return line;
}

// What the study buys; the legend has the first.
void add_plan(plot::Chart& chart, const std::vector<Column>& columns, double epsilon) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const double accuracy = std::max(columns[i].accuracy, chart.y.low * below);
    chart.series.emplace_back(plot::Dots{i == 0 ? "this study" : "", colour_at(i), {{epsilon, accuracy}}});
  }
}

// What was asked, over the whole width; the legend has the first.
void add_targets(plot::Chart& chart, const std::vector<Column>& columns) {
  const char* name = "the accuracy that was asked";
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].target) continue;
    const double target = *columns[i].target;
    chart.series.emplace_back(
        plot::Line{name, colour_at(i), {{chart.x.low, target}, {chart.x.high, target}}, Stroke::dotted});
    name = "";
  }
}

std::string subtitle(const PlanAnswer& answer, std::size_t all, std::size_t drawn) {
  std::string text =
      fmt::format("{}, delta {}", answer.plan.study().name, rounded_up_text(answer.plan.content().delta.value()));
  if (drawn < all) text += fmt::format("; the first {} of {} columns", drawn, all);
  return text;
}

}  // namespace

plot::Chart plan_chart(const PlanAnswer& answer, const std::vector<WhatIf>& points) {
  std::vector<Column> columns = columns_of(answer.plan.content(), points);
  const std::size_t all = columns.size();
  if (all > most_curves) columns.erase(columns.begin() + most_curves, columns.end());
  const Range up = accuracies_of(columns);
  plot::Chart chart;
  chart.title = "Accuracy against epsilon";
  chart.subtitle = subtitle(answer, all, columns.size());
  chart.x = {"epsilon of the whole study", points.front().epsilon, points.back().epsilon, 0, true};
  chart.y = {fmt::format("accuracy (± with probability {})",
                         report::confidences_of(answer.plan.content().study, answer.plan.study().question.alpha)),
             up.low, up.high, 0, true};
  chart.legend = plot::Legend::below;
  for (std::size_t i = 0; i < columns.size(); ++i) chart.series.emplace_back(curve_of(columns[i], i, points, up));
  add_plan(chart, columns, answer.plan.content().epsilon);
  add_targets(chart, columns);
  return chart;
}

}  // namespace vernier::cli
