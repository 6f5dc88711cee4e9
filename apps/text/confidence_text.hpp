#pragma once

#include <string>

namespace vernier::text {

// The probability 1 - alpha in words: "95 %", "99.9999 %", "1 - 1e-20". Never rounded.
std::string confidence_text(double alpha);

}  // namespace vernier::text
