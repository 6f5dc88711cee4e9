#pragma once

#include <optional>
#include <string>
#include <vector>

// Charts of numbers that have intervals.
namespace vernier::plot {

// low <= value <= high. An end may be infinite: it is drawn to the edge of the frame.
struct Estimate {
  double value;
  double low;
  double high;
  std::string text;                     // the number as a reader sees it, with its margin
  bool informative = true;              // false: the interval is all that is possible, and no value is drawn
  std::optional<double> denoised = {};  // what was made of it: a ring, or a dot or a line where there are many
};

enum class EstimateForm {
  rows,   // one below the other: bars where zero is in sight, else dots, since the length of a bar is its message
  curve,  // over ordered keys, joined by a line
  strip,  // side by side in their order, too many to be named
};

// One picture of small multiples, with an estimate for each key; none where it was not published.
struct EstimatePanel {
  std::string title;
  std::vector<std::optional<Estimate>> estimates;
};

struct EstimateChart {
  std::string title;
  std::string subtitle;
  EstimateForm form = EstimateForm::rows;
  std::string key_title;
  std::string value_title;
  std::vector<std::string> keys;      // what each is called; of a strip most are empty
  std::vector<double> places;         // of a curve and a strip: where each stands, ascending
  std::vector<EstimatePanel> panels;  // at least one; a title is shown where there are several
};

enum class Width { wide, narrow };  // 880 pixels, or 344 for a phone

// One SVG file with title and subtitle.
std::string render(const EstimateChart& chart);

// A part of a page that has chart_style(): without the titles, which the page writes, but with a description for those
// who do not see it.
std::string render_inside(const EstimateChart& chart, Width width, const std::string& id);

// What is drawn along the axis of values.
struct ValueRange {
  double low;
  double high;
  bool has_zero;
};
ValueRange value_range(const EstimateChart& chart);

}  // namespace vernier::plot
