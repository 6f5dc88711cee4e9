#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
enum class Colour { first, second, third, fourth, fifth, sixth };

enum class Stroke { solid, dashed, dotted };

struct Line {
  std::string name;
  Colour colour;
  std::vector<Point> points;
  Stroke stroke = Stroke::solid;
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

struct Dots {  // large enough to be found among lines
  std::string name;
  Colour colour;
  std::vector<Point> points;
};

struct Span {
  double x;
  double low;
  double high;
};

struct Band {  // what lies between two lines
  std::string name;
  Colour colour;
  std::vector<Span> spans;
};

using Series = std::variant<Line, Stems, Bars, Dots, Band>;  // one without a name is not in the legend

struct Axis {
  std::string title;
  double low = 0;  // low < high, both finite
  double high = 1;
  double least_step = 0;     // between ticks: 1 for whole numbers
  bool logarithmic = false;  // then low > 0, and least_step plays no part
};

// In one row over the frame, as a list in its upper right corner, or in two columns below it, for many or long names.
enum class Legend { above, inside, below };

// What a chart shows; later series are drawn over earlier ones.
struct Chart {
  std::string title;
  std::string subtitle;
  Axis x;
  Axis y;
  std::vector<Series> series;
  Legend legend = Legend::above;
};

// The chart as one SVG file of 960 by 540 pixels, and more for a legend below: no scripts, nothing loaded from
// elsewhere, light or dark as the reader's screen asks. All coordinates must be finite, and positive along a
// logarithmic axis.
std::string render(const Chart& chart);

// `count` bins of equal width from `low`; a value on an edge belongs to the bin on its right.
struct Bins {
  double low;
  double width;
  std::size_t count;
};

struct Histogram {
  Bins bins;
  std::vector<std::size_t> counts;
  std::size_t outside = 0;  // values in none of the bins
  std::size_t total = 0;    // all values, those outside too
};

Histogram histogram(Bins bins, std::span<const double> values);
Histogram histogram(Bins bins, std::span<const std::int64_t> values);

// The share of all values in each bin, per unit of its width: comparable with a density.
std::vector<Bar> density_bars(const Histogram& histogram);

}  // namespace vernier::plot
