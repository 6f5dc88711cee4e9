#pragma once

#include <string>

namespace vernier::cli {

// Six significant digits, for tables: the nearest, or the least that is not below the value.
std::string nearest_text(double value);
std::string rounded_up_text(double value);

// The probability 1 - alpha in words: "95 %", "99.9999 %", "1 - 1e-20". Never rounded.
std::string confidence_text(double alpha);

}  // namespace vernier::cli
