#pragma once

#include <string>
#include <variant>
#include <vector>

namespace vernier::plot {

struct Point {
  double x;
  double y;
};

struct Bar {
  double left;
  double right;
  double height;
};

// The colours are named by rank, so that charts agree: the first is for what is claimed, the second for what was seen.
enum class Colour { first, second, third, fourth };

struct Line {
  std::string name;
  Colour colour;
  std::vector<Point> points;
};

struct Stems {  // a dot at each point on a thin line from zero
  std::string name;
  Colour colour;
  std::vector<Point> points;
};

struct Bars {  // rectangles that stand on zero
  std::string name;
  Colour colour;
  std::vector<Bar> bars;
};

using Series = std::variant<Line, Stems, Bars>;

struct Axis {
  std::string title;
  double low = 0;  // low < high, both finite
  double high = 1;
  double least_step = 0;  // between ticks: 1 for whole numbers
};

// What a chart shows; later series are drawn over earlier ones.
struct Chart {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  std::vector<Series> series;
};

// The chart as one SVG file of 960 by 540 pixels: no scripts, nothing loaded from elsewhere, light or dark as the
// reader's screen asks. All coordinates must be finite.
std::string render(const Chart& chart);

}  // namespace vernier::plot
