#pragma once

#include <string>
#include <string_view>

#include "plot/chart.hpp"

namespace vernier::plot {

// The classes of every chart's elements, in light and in dark.
std::string_view chart_style();

// "fill1" to "fill6", "stroke1" to "stroke6", "soft1" to "soft6" (an area that other marks are read against).
std::string_view fill_class(Colour colour);
std::string_view stroke_class(Colour colour);
std::string stroke_class(Colour colour, Stroke stroke);  // "stroke1 dashed"
std::string_view soft_class(Colour colour);

// The width of words as they are shown (seen_text.hpp), in pixels, is not known without the font: at most about this,
// for letters of so many pixels.
double words_width(std::string_view words, double size);

// The words, or as many of their first letters as fit, with an ellipsis behind them.
std::string fitted(std::string_view words, double width, double size);

}  // namespace vernier::plot
