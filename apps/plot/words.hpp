#pragma once

#include <string>
#include <string_view>

namespace vernier::plot {

// The width of words as they are shown (seen_text.hpp), in pixels, is not known without the font: at most about this,
// for letters of so many pixels.
double words_width(std::string_view words, double size);

// The words, or as many of their first letters as fit, with an ellipsis behind them.
std::string fitted(std::string_view words, double width, double size);

}  // namespace vernier::plot
