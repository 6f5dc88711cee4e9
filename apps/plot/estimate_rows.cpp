#include <algorithm>
#include <cmath>

#include "plot/estimate_parts.hpp"
#include "plot/style.hpp"

// Estimates one below the other, with their names beside them, or above them where there is little room.
namespace vernier::plot {
namespace {

constexpr double gap = 12, axis_height = 46, title_height = 26, bar_height = 12, cap = 4;
constexpr double least_panel = 150;

double widest(const std::vector<std::string>& words) {
  double width = 0;
  for (const std::string& one : words) width = std::max(width, words_width(one, letter_size));
  return width;
}

double widest_text(const EstimateChart& chart) {
  double width = 0;
  for (const EstimatePanel& panel : chart.panels) {
    for (const auto& estimate : panel.estimates) {
      if (estimate) width = std::max(width, words_width(estimate->text, letter_size));
    }
  }
  return width;
}

struct Layout {
  double label_width, text_width;  // beside the frame; 0 in the narrow form
  double row_height, bar_top;      // of a row, and where its bar begins
  double panel_width, panel_height;
  std::size_t columns;
};

Layout layout_of(const EstimateChart& chart, const Canvas& canvas) {
  Layout layout{};
  const std::size_t panels = chart.panels.size();
  if (!canvas.is_narrow) {
    layout.label_width = std::min(widest(chart.keys), 0.38 * canvas.width) + gap;
    if (panels == 1) layout.text_width = std::min(widest_text(chart), 0.3 * canvas.width) + gap;
  }
  layout.row_height = canvas.is_narrow ? 40 : 26;
  layout.bar_top = canvas.is_narrow ? 20 : 7;
  const double room = canvas.width - layout.label_width - layout.text_width - gap;
  const auto fitting = static_cast<std::size_t>(std::max(1.0, std::floor(room / (least_panel + gap))));
  layout.columns = canvas.is_narrow ? 1 : std::min(panels, fitting);
  const auto columns = static_cast<double>(layout.columns);
  layout.panel_width = (room - gap * (columns - 1)) / columns;
  const double title = panels > 1 ? title_height : 0;
  layout.panel_height = title + layout.row_height * static_cast<double>(chart.keys.size()) + axis_height;
  return layout;
}

std::size_t lines_of(const EstimateChart& chart, const Layout& layout) {
  return (chart.panels.size() + layout.columns - 1) / layout.columns;
}

class Rows {
 public:
  Rows(Svg& svg, const EstimateChart& chart, const Canvas& canvas)
      : svg_(svg), chart_(chart), canvas_(canvas), layout_(layout_of(chart, canvas)), range_(value_range(chart)) {}

  void draw() {
    for (std::size_t i = 0; i < chart_.panels.size(); ++i) {
      const std::size_t column = i % layout_.columns, line = i / layout_.columns;
      const double left = layout_.label_width + static_cast<double>(column) * (layout_.panel_width + gap);
      draw_panel(chart_.panels[i], left, canvas_.top + static_cast<double>(line) * layout_.panel_height, column == 0);
    }
  }

 private:
  void draw_panel(const EstimatePanel& panel, double left, double top, bool is_first) {
    if (chart_.panels.size() > 1) {
      svg_.text("panel-title", left, top + 15, Anchor::start, fitted(panel.title, layout_.panel_width, 14));
      top += title_height;
    }
    const double bottom = top + layout_.row_height * static_cast<double>(chart_.keys.size());
    const Scale scale{range_.low, range_.high, left + cap, left + layout_.panel_width - cap};
    draw_axis(scale, top, bottom);
    for (std::size_t i = 0; i < chart_.keys.size(); ++i) {
      const double y = top + layout_.row_height * static_cast<double>(i);
      if (is_first && !canvas_.is_narrow) draw_label(i, y);
      if (canvas_.is_narrow) draw_line_above(i, panel.estimates[i], y);
      if (panel.estimates[i]) draw_estimate(*panel.estimates[i], scale, y);
    }
  }

  void draw_axis(const Scale& scale, double top, double bottom) {
    const int most = layout_.panel_width > 420 ? 7 : layout_.panel_width > 260 ? 4 : 3;
    const Ticks ticks = round_ticks(range_.low, range_.high, most);
    for (std::size_t i = 0; i < ticks.values.size(); ++i) {
      const double x = scale.at(ticks.values[i]);
      draw_grid(ticks.values[i] == 0 ? "axis" : "grid", x, top, bottom);
      const double half = words_width(ticks.labels[i], letter_size) / 2;
      svg_.text("tick", std::clamp(x, half, canvas_.width - half), bottom + 17, Anchor::middle, ticks.labels[i]);
    }
    const double middle = (scale.begin + scale.end) / 2;
    svg_.text("axis-title", middle, bottom + 37, Anchor::middle,
              fitted(titled(chart_.value_title, ticks), layout_.panel_width, 14));
  }

  // Behind the bars alone where names stand above them.
  void draw_grid(std::string_view style_class, double x, double top, double bottom) {
    if (!canvas_.is_narrow) return svg_.line(style_class, x, top, x, bottom);
    for (double y = top + layout_.bar_top - 2; y < bottom; y += layout_.row_height) {
      svg_.line(style_class, x, y, x, y + bar_height + 4);
    }
  }

  void draw_label(std::size_t place, double y) {
    const double right = layout_.label_width - gap;
    svg_.text("label", right, y + 17.5, Anchor::end, fitted(chart_.keys[place], right, letter_size));
  }

  void draw_line_above(std::size_t place, const std::optional<Estimate>& estimate, double y) {
    const std::string text = estimate ? estimate->text : "";
    const double room = canvas_.width - words_width(text, letter_size) - gap;
    svg_.text("label", cap, y + 14, Anchor::start, fitted(chart_.keys[place], room, letter_size));
    if (!text.empty()) svg_.text("value", canvas_.width - cap, y + 14, Anchor::end, text);
  }

  void draw_estimate(const Estimate& estimate, const Scale& scale, double y) {
    const double middle = y + layout_.bar_top + bar_height / 2;
    if (layout_.text_width > 0) {
      const double right = canvas_.width - cap;
      svg_.text("value", right, y + 17.5, Anchor::end, fitted(estimate.text, layout_.text_width, letter_size));
    }
    if (!estimate.informative) return svg_.line("unknown", scale.begin, middle, scale.end, middle);
    const double x = scale.at(estimate.value), low = scale.at(estimate.low), high = scale.at(estimate.high);
    if (range_.has_zero) {
      const double zero = scale.at(0);
      svg_.rectangle("bar", std::min(x, zero), y + layout_.bar_top, std::abs(x - zero), bar_height);
    }
    svg_.line("whisker", low, middle, high, middle);
    for (const double end : {low, high}) svg_.line("whisker", end, middle - cap, end, middle + cap);
    if (!range_.has_zero) svg_.circle("fill2", x, middle, 5);
    if (estimate.denoised) svg_.circle("denoised", scale.at(*estimate.denoised), middle, 4.5);
  }

  Svg& svg_;
  const EstimateChart& chart_;
  const Canvas& canvas_;
  const Layout layout_;
  const ValueRange range_;
};

}  // namespace

double height_of_rows(const EstimateChart& chart, const Canvas& canvas) {
  const Layout layout = layout_of(chart, canvas);
  return canvas.top + layout.panel_height * static_cast<double>(lines_of(chart, layout));
}

void draw_rows(Svg& svg, const EstimateChart& chart, const Canvas& canvas) { Rows(svg, chart, canvas).draw(); }

}  // namespace vernier::plot
