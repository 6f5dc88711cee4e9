#include "plot/chart.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "plot/style.hpp"
#include "plot/svg.hpp"
#include "plot/ticks.hpp"

namespace vernier::plot {
namespace {

constexpr double width = 960, base_height = 540;
constexpr double left = 92, right = 932, top = 84, bottom = 470;  // the frame in which data is drawn
constexpr double overhang = 5;                                    // a mark at the edge is drawn whole
constexpr int most_ticks_across = 10, most_ticks_up = 7;
constexpr double note_size = 14, legend_row = 24;

// From data to pixels.
class Frame {
 public:
  Frame(const Axis& x, const Axis& y) : x_(x), y_(y) {}
  double across(double x) const { return left + (right - left) * share(x_, x); }
  double up(double y) const { return bottom - (bottom - top) * share(y_, y); }
  double zero() const { return up(std::clamp(0.0, y_.low, y_.high)); }

 private:
  static double share(const Axis& axis, double value) {
    if (axis.logarithmic) return std::log(value / axis.low) / std::log(axis.high / axis.low);
    return (value - axis.low) / (axis.high - axis.low);
  }
  const Axis& x_;
  const Axis& y_;
};

std::string axis_title(const Axis& axis, const Ticks& ticks) {
  if (ticks.exponent == 0) return axis.title;
  return axis.title + " (" + power_of_ten(ticks.exponent) + ")";
}

Ticks ticks_of(const Axis& axis, int most) {
  if (axis.logarithmic) return log_ticks(axis.low, axis.high, most);
  return round_ticks(axis.low, axis.high, most, axis.least_step);
}

void draw_x_axis(Svg& svg, const Frame& frame, const Axis& axis) {
  const Ticks ticks = ticks_of(axis, most_ticks_across);
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double x = frame.across(ticks.values[i]);
    svg.line("grid", x, top, x, bottom);
    svg.line("axis", x, bottom, x, bottom + 5);
    svg.text("tick", x, bottom + 21, Anchor::middle, ticks.labels[i]);
  }
  svg.text("axis-title", (left + right) / 2, bottom + 49, Anchor::middle, axis_title(axis, ticks));
}

void draw_y_axis(Svg& svg, const Frame& frame, const Axis& axis) {
  const Ticks ticks = ticks_of(axis, most_ticks_up);
  for (std::size_t i = 0; i < ticks.values.size(); ++i) {
    const double y = frame.up(ticks.values[i]);
    svg.line("grid", left, y, right, y);
    svg.text("tick", left - 9, y + 4.5, Anchor::end, ticks.labels[i]);
  }
  svg.text_upwards("axis-title", 27, (top + bottom) / 2, axis_title(axis, ticks));
}

void draw(Svg& svg, const Frame& frame, const Line& line) {
  std::string data;
  for (const Point& point : line.points) {
    fmt::format_to(std::back_inserter(data), "{}{:.2f} {:.2f}", data.empty() ? "M" : "L", frame.across(point.x),
                   frame.up(point.y));
  }
  svg.path(stroke_class(line.colour, line.stroke), data);
}

void draw(Svg& svg, const Frame& frame, const Stems& stems) {
  for (const Point& point : stems.points) {
    const double x = frame.across(point.x), y = frame.up(point.y);
    svg.line(stroke_class(stems.colour), x, frame.zero(), x, y);
    svg.circle(fill_class(stems.colour), x, y, 4);
  }
}

void draw(Svg& svg, const Frame& frame, const Bars& bars) {
  std::string data;
  for (const Bar& bar : bars.bars) {
    fmt::format_to(std::back_inserter(data), "M{:.2f} {:.2f}V{:.2f}H{:.2f}V{:.2f}Z", frame.across(bar.left),
                   frame.zero(), frame.up(bar.height), frame.across(bar.right), frame.zero());
  }
  svg.path(soft_class(bars.colour), data);
}

void draw(Svg& svg, const Frame& frame, const Dots& dots) {
  for (const Point& point : dots.points) {
    svg.circle(fill_class(dots.colour), frame.across(point.x), frame.up(point.y), 6);
  }
}

// Along the upper ends, and back along the lower ones.
void draw(Svg& svg, const Frame& frame, const Band& band) {
  std::string data;
  const auto add = [&](double x, double y) {
    fmt::format_to(std::back_inserter(data), "{}{:.2f} {:.2f}", data.empty() ? "M" : "L", frame.across(x), frame.up(y));
  };
  for (const Span& one : band.spans) add(one.x, one.high);
  for (std::size_t i = band.spans.size(); i-- > 0;) add(band.spans[i].x, band.spans[i].low);
  svg.path(soft_class(band.colour), data + "Z");
}

// The mark of a series in the legend, 22 pixels wide from x, around the height y.
void draw_key(Svg& svg, const Line& line, double x, double y) {
  svg.line(stroke_class(line.colour, line.stroke), x, y, x + 22, y);
}

void draw_key(Svg& svg, const Stems& stems, double x, double y) {
  svg.line(stroke_class(stems.colour), x + 11, y - 5, x + 11, y + 7);
  svg.circle(fill_class(stems.colour), x + 11, y - 5, 4);
}

void draw_key(Svg& svg, const Bars& bars, double x, double y) {
  svg.rectangle(soft_class(bars.colour), x, y - 7, 22, 14);
}

void draw_key(Svg& svg, const Band& band, double x, double y) {
  svg.rectangle(soft_class(band.colour), x, y - 7, 22, 14);
}

void draw_key(Svg& svg, const Dots& dots, double x, double y) { svg.circle(fill_class(dots.colour), x + 11, y, 6); }

const std::string& name_of(const Series& series) {
  return std::visit([](const auto& kind) -> const std::string& { return kind.name; }, series);
}

double width_in_legend(std::string_view words) { return words_width(words, note_size); }

// Those that the legend has.
std::vector<Series> named(const std::vector<Series>& all) {
  std::vector<Series> some;
  for (const Series& series : all) {
    if (!name_of(series).empty()) some.push_back(series);
  }
  return some;
}

// From the right edge to the left, in the row of the subtitle, so that the last series stands last.
void draw_legend(Svg& svg, const std::vector<Series>& all) {
  double x = right;
  for (std::size_t i = all.size(); i-- > 0;) {
    x -= width_in_legend(name_of(all[i]));
    svg.text("note", x, 62, Anchor::start, name_of(all[i]));
    x -= 30;
    std::visit([&](const auto& kind) { draw_key(svg, kind, x, 57); }, all[i]);
    x -= 22;
  }
}

// From the top down in the upper right corner of the frame.
void draw_legend_inside(Svg& svg, const std::vector<Series>& all) {
  double widest = 0;
  for (const Series& series : all) widest = std::max(widest, width_in_legend(name_of(series)));
  const double x = right - widest - 48, row = 24;
  svg.rectangle("surface", x - 12, top + 8, widest + 52, row * static_cast<double>(all.size()) + 12);
  double y = top + 26;
  for (const Series& series : all) {
    std::visit([&](const auto& kind) { draw_key(svg, kind, x, y); }, series);
    svg.text("note", x + 30, y + 5, Anchor::start, name_of(series));
    y += row;
  }
}

// In two columns, read line by line.
void draw_legend_below(Svg& svg, const std::vector<Series>& all) {
  constexpr double column = 440;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t line = i / 2;
    const double x = left + column * static_cast<double>(i % 2);
    const double y = bottom + 78 + legend_row * static_cast<double>(line);
    std::visit([&](const auto& kind) { draw_key(svg, kind, x, y); }, all[i]);
    svg.text("note", x + 32, y + 5, Anchor::start, fitted(name_of(all[i]), column - 56, note_size));
  }
}

double height_of(const Chart& chart, std::size_t names) {
  if (chart.legend != Legend::below) return base_height;
  const std::size_t lines = (names + 1) / 2;
  return base_height + 18 + legend_row * static_cast<double>(lines);
}

}  // namespace

std::string render(const Chart& chart) {
  const std::vector<Series> in_legend = named(chart.series);
  const double height = height_of(chart, in_legend.size());
  Svg svg(width, height, chart.title, chart.subtitle, chart_style());
  const Frame frame(chart.x, chart.y);
  svg.rectangle("surface", 0, 0, width, height);
  svg.text("title", 28, 38, Anchor::start, chart.title);
  svg.text("note", 28, 62, Anchor::start, chart.subtitle);
  if (chart.legend == Legend::above) draw_legend(svg, in_legend);
  draw_x_axis(svg, frame, chart.x);
  draw_y_axis(svg, frame, chart.y);
  svg.begin_clip(left - overhang, top - overhang, right - left + 2 * overhang, bottom - top + 2 * overhang);
  for (const Series& series : chart.series) std::visit([&](const auto& kind) { draw(svg, frame, kind); }, series);
  svg.end_clip();
  if (chart.legend == Legend::inside) draw_legend_inside(svg, in_legend);
  if (chart.legend == Legend::below) draw_legend_below(svg, in_legend);
  svg.line("axis", left, bottom, right, bottom);
  return std::move(svg).finish();
}

namespace {

template <class Value>
Histogram counted(Bins bins, std::span<const Value> values) {
  Histogram result{bins, std::vector<std::size_t>(bins.count, 0), 0, values.size()};
  for (const Value value : values) {
    const double place = (static_cast<double>(value) - bins.low) / bins.width;
    if (place >= 0 && place < static_cast<double>(bins.count)) {
      ++result.counts[static_cast<std::size_t>(place)];
    } else {
      ++result.outside;
    }
  }
  return result;
}

}  // namespace

Histogram histogram(Bins bins, std::span<const double> values) { return counted(bins, values); }
Histogram histogram(Bins bins, std::span<const std::int64_t> values) { return counted(bins, values); }

std::vector<Bar> density_bars(const Histogram& histogram) {
  const Bins& bins = histogram.bins;
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < bins.count; ++i) {
    const double left = bins.low + bins.width * static_cast<double>(i);
    const double share = static_cast<double>(histogram.counts[i]) / static_cast<double>(histogram.total);
    bars.push_back({left, left + bins.width, share / bins.width});
  }
  return bars;
}

}  // namespace vernier::plot
