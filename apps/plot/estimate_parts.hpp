#pragma once

#include <string>

#include "plot/estimate_chart.hpp"
#include "plot/svg.hpp"
#include "plot/ticks.hpp"

// What both layouts of estimates share.
namespace vernier::plot {

inline constexpr double letter_size = 13;

// Where a chart is drawn: its width, and how much of its top the titles take.
struct Canvas {
  double width;
  double top;
  bool is_narrow;
};

// A layout knows its height before it draws.
double height_of_rows(const EstimateChart& chart, const Canvas& canvas);
void draw_rows(Svg& svg, const EstimateChart& chart, const Canvas& canvas);
double height_of_curves(const EstimateChart& chart, const Canvas& canvas);
void draw_curves(Svg& svg, const EstimateChart& chart, const Canvas& canvas);

// From a value to its place between two pixels, in either direction; what lies outside is moved to the nearer end.
struct Scale {
  double low, high;   // values
  double begin, end;  // pixels

  double at(double value) const;
};

// "income (×10⁹)"
std::string titled(const std::string& title, const Ticks& ticks);

}  // namespace vernier::plot
