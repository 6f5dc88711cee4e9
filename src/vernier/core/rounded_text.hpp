#pragma once

#include <string>

namespace vernier {

// Some significant digits, six for tables: the nearest, the least that is not below the value, or the largest that is
// not above it.
std::string nearest_text(double value, int digits = 6);
std::string rounded_up_text(double value, int digits = 6);
std::string rounded_down_text(double value, int digits = 6);

}  // namespace vernier
