#pragma once

#include <string>

#include "plot/chart.hpp"

namespace vernier::cli {

// What a chart shows as one JSON object, for programs that draw by themselves: title, subtitle, x and y {title, low,
// high, logarithmic}, and series {kind: "line", "stems", "bars" or "dots", name, colour: 1 to 6, x, y, for a line
// stroke, for bars left, right and height in place of x and y}.
std::string chart_json(const plot::Chart& chart);

}  // namespace vernier::cli
