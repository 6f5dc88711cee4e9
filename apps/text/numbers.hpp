#pragma once

#include <cstdint>
#include <string>

namespace vernier::text {

// Digits in groups of three, for a person: 1,234,567 and -12,345.25 (with so many decimals).
std::string grouped(std::int64_t value);
std::string grouped(double value, int decimals);

// A number with its margin, "41,211 ± 311", with so many decimals: the margin is rounded up, and by as much as the
// rounding moved the number, so that what is shown covers what was released with its margin.
struct Margin {
  std::string value;
  std::string margin;
};
Margin with_margin(double value, double accuracy, int decimals);

// So many decimals that a number of this size shows so many digits; none where it has them before the point.
int decimals_for(double size, int digits);

// Three significant digits, or all digits before the point, and not below the value.
std::string grouped_up(double value);

// With so many decimals, not below the value or not above it.
std::string grouped_up(double value, int decimals);
std::string grouped_down(double value, int decimals);

// The probability 1 - alpha in words: "95 %", "99.9999 %", "1 - 1e-20". Never rounded.
std::string confidence_text(double alpha);

}  // namespace vernier::text
