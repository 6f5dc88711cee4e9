#pragma once

#include <string_view>

namespace vernier::report {

// The style of the page in light, dark and print, wide and narrow. Its classes are none of those of chart_style().
std::string_view page_style();

}  // namespace vernier::report
