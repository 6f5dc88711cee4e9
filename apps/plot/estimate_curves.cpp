#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "plot/estimate_parts.hpp"
#include "plot/style.hpp"

// Estimates side by side, over an axis of keys.
namespace vernier::plot {
namespace {

constexpr double gap = 24, axis_height = 54, title_height = 26, cap = 4;
constexpr std::size_t most_dots = 60;  // more of them have a band in place of dots and whiskers

struct Layout {
  double left;  // of the first frame: room for the ticks and the title of the axis
  double panel_width, frame_height, panel_height;
  std::size_t columns;
};

Layout layout_of(const EstimateChart& chart, const Canvas& canvas, const Ticks& ticks) {
  double label = 0;
  for (const std::string& one : ticks.labels) label = std::max(label, words_width(one, letter_size));
  const std::size_t panels = chart.panels.size();
  Layout layout{};
  layout.left = label + 12 + 24;
  layout.columns = canvas.is_narrow ? 1 : std::min<std::size_t>(panels, 3);
  const auto columns = static_cast<double>(layout.columns);
  layout.panel_width = (canvas.width - layout.left - gap * (columns - 1) - 12) / columns;
  layout.frame_height = panels == 1 ? (canvas.is_narrow ? 200 : 280) : 150;
  layout.panel_height = (panels > 1 ? title_height : 8) + layout.frame_height + axis_height;
  return layout;
}

Ticks value_ticks(const ValueRange& range) { return round_ticks(range.low, range.high, 5); }

class Curves {
 public:
  Curves(Svg& svg, const EstimateChart& chart, const Canvas& canvas)
      : svg_(svg),
        chart_(chart),
        canvas_(canvas),
        range_(value_range(chart)),
        ticks_(value_ticks(range_)),
        layout_(layout_of(chart, canvas, ticks_)) {}

  void draw() {
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const std::size_t column = i % layout_.columns, line = i / layout_.columns;
      const double left = layout_.left + static_cast<double>(column) * (layout_.panel_width + gap);
      draw_panel(chart_.panels[i], left, canvas_.top + static_cast<double>(line) * layout_.panel_height, column == 0);
    }
  }

 private:
  struct Frame {
    Scale across;
    Scale up;
  };

  void draw_panel(const EstimatePanel& panel, double left, double top, bool is_first) {
    if (chart_.panels.size() > 1) {
      svg_.text("panel-title", left, top + 15, Anchor::start, fitted(panel.title, layout_.panel_width, 14));
    }
    top += chart_.panels.size() > 1 ? title_height : 8;
    const double bottom = top + layout_.frame_height;
    const auto [first, last] = places();
    const Frame frame{{first, last, left + 10, left + layout_.panel_width - 10},
                      {range_.low, range_.high, bottom, top}};
    draw_values(frame, left, is_first);
    draw_keys(frame, left, bottom);
    draw_estimates(panel, frame);
  }

  // One key alone stands in the middle.
  std::pair<double, double> places() const {
    if (chart_.places.empty()) return {0, 1};
    const double first = chart_.places.front(), last = chart_.places.back();
    return first < last ? std::pair(first, last) : std::pair(first - 1, last + 1);
  }

  void draw_values(const Frame& frame, double left, bool is_first) {
    for (std::size_t i = 0; i < ticks_.values.size(); ++i) {
      const double y = frame.up.at(ticks_.values[i]);
      svg_.line(ticks_.values[i] == 0 ? "axis" : "grid", left, y, left + layout_.panel_width, y);
      if (is_first) svg_.text("tick", left - 8, y + 4.5, Anchor::end, ticks_.labels[i]);
    }
    const std::string title = fitted(titled(chart_.value_title, ticks_), layout_.frame_height, 14);
    if (is_first) svg_.text_upwards("axis-title", 14, (frame.up.begin + frame.up.end) / 2, title);
  }

  // The names of some of the keys, so that they do not touch.
  void draw_keys(const Frame& frame, double left, double bottom) {
    double widest = 1;
    for (const std::string& key : chart_.keys) widest = std::max(widest, words_width(key, letter_size));
    widest = std::min(widest, 120.0);
    double free = left - gap;
    for (std::size_t i = 0; i < chart_.keys.size(); ++i) {
      const double x = frame.across.at(chart_.places[i]);
      if (chart_.keys[i].empty() || x - widest / 2 < free) continue;
      svg_.line("axis", x, bottom, x, bottom + 5);
      const std::string shown = fitted(chart_.keys[i], widest, letter_size);
      const double half = words_width(shown, letter_size) / 2;
      svg_.text("tick", std::min(x, canvas_.width - half), bottom + 20, Anchor::middle, shown);
      free = x + widest / 2 + 10;
    }
    svg_.text("axis-title", left + layout_.panel_width / 2, bottom + 42, Anchor::middle,
              fitted(chart_.key_title, layout_.panel_width, 14));
  }

  void draw_estimates(const EstimatePanel& panel, const Frame& frame) {
    const bool is_dense = chart_.keys.size() > most_dots;
    if (is_dense) draw_bars(panel, frame);
    if (chart_.form == EstimateForm::curve) draw_line("stroke2", panel, frame, value_of);
    if (chart_.form == EstimateForm::curve && is_dense) draw_line("denoised", panel, frame, denoised_of);
    for (std::size_t i = 0; i < chart_.keys.size(); ++i) {
      if (!panel.estimates[i]) continue;
      draw_one(*panel.estimates[i], frame, frame.across.at(chart_.places[i]), is_dense);
    }
  }

  // All intervals as one path of thin strokes.
  void draw_bars(const EstimatePanel& panel, const Frame& frame) {
    std::string data;
    for (std::size_t i = 0; i < chart_.keys.size(); ++i) {
      if (!panel.estimates[i] || !panel.estimates[i]->informative) continue;
      fmt::format_to(std::back_inserter(data), "M{:.1f} {:.1f}V{:.1f}", frame.across.at(chart_.places[i]),
                     frame.up.at(panel.estimates[i]->low), frame.up.at(panel.estimates[i]->high));
    }
    svg_.path("thin", data);
  }

  static std::optional<double> value_of(const Estimate& estimate) { return estimate.value; }
  static std::optional<double> denoised_of(const Estimate& estimate) { return estimate.denoised; }

  // It stops where a key was not published or says nothing.
  void draw_line(std::string_view style_class, const EstimatePanel& panel, const Frame& frame,
                 std::optional<double> (*value)(const Estimate&)) {
    std::string data;
    bool is_joined = false;
    for (std::size_t i = 0; i < chart_.keys.size(); ++i) {
      const std::optional<Estimate>& estimate = panel.estimates[i];
      if (!estimate || !estimate->informative || !value(*estimate)) {
        is_joined = false;
        continue;
      }
      fmt::format_to(std::back_inserter(data), "{}{:.1f} {:.1f}", is_joined ? "L" : "M",
                     frame.across.at(chart_.places[i]), frame.up.at(*value(*estimate)));
      is_joined = true;
    }
    if (!data.empty()) svg_.path(style_class, data);
  }

  void draw_one(const Estimate& estimate, const Frame& frame, double x, bool is_dense) {
    if (!estimate.informative) return svg_.line("unknown", x, frame.up.begin, x, frame.up.end);
    if (is_dense && chart_.form == EstimateForm::curve) return;
    const double y = frame.up.at(estimate.value);
    if (is_dense && estimate.denoised) svg_.circle("fill1", x, frame.up.at(*estimate.denoised), 1.6);
    if (is_dense) return svg_.circle("fill2", x, y, 1.6);
    const double low = frame.up.at(estimate.low), high = frame.up.at(estimate.high);
    svg_.line("whisker", x, low, x, high);
    for (const double end : {low, high}) svg_.line("whisker", x - cap, end, x + cap, end);
    svg_.circle("fill2", x, y, 4);
    if (estimate.denoised) svg_.circle("denoised", x, frame.up.at(*estimate.denoised), 5.5);
  }

  Svg& svg_;
  const EstimateChart& chart_;
  const Canvas& canvas_;
  const ValueRange range_;
  const Ticks ticks_;
  const Layout layout_;
};

}  // namespace

double height_of_curves(const EstimateChart& chart, const Canvas& canvas) {
  const Layout layout = layout_of(chart, canvas, value_ticks(value_range(chart)));
  const std::size_t lines = (chart.panels.size() + layout.columns - 1) / layout.columns;
  return canvas.top + layout.panel_height * static_cast<double>(lines);
}

void draw_curves(Svg& svg, const EstimateChart& chart, const Canvas& canvas) { Curves(svg, chart, canvas).draw(); }

}  // namespace vernier::plot
