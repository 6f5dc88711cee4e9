#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vernier::plot {

// Round values along an axis and how to write them. A value is label * 10^exponent; the exponent is 0 unless the
// numbers would be long, and then belongs into the title of the axis.
struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
  int exponent = 0;
};

// At most `most` steps of 1, 2 or 5 times a power of ten from low to high (low < high, both finite), none of them below
// least_step: an axis of whole numbers asks for 1.
Ticks round_ticks(double low, double high, int most, double least_step = 0);

// At most about `most` values 1, 2 and 5 times the powers of ten from low to high (0 < low < high), or fewer of them;
// where the axis spans too little for that, round_ticks.
Ticks log_ticks(double low, double high, int most);

// 1234567.5 -> "1,234,567.5"; `digits` has no sign.
std::string with_thousands(std::string_view digits);

// -7 -> "×10⁻⁷"
std::string power_of_ten(int exponent);

}  // namespace vernier::plot
