#pragma once

#include <cstdint>
#include <string>

namespace vernier::cli {

// Digits in groups of three, for a person: 1,234,567 and -12,345.25 (with so many decimals).
std::string grouped(std::int64_t value);
std::string grouped(double value, int decimals);

// A number with its margin, "41,211 ± 311": rounded to where the margin has three digits, and the margin up by as much
// as the rounding moved the number, so that what is shown covers what was released with its margin.
struct Margin {
  std::string value;
  std::string margin;
};
Margin with_margin(double value, double accuracy, bool is_whole);

// Three significant digits, or all digits before the point, and not below the value.
std::string grouped_up(double value);

}  // namespace vernier::cli
