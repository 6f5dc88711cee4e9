#pragma once

#include "vernier/core/result.hpp"

namespace vernier::noise {

// The integer laws take scales in this range; their tails reach 1e-300 within 64-bit integers.
inline constexpr double least_integer_scale = 1e-3;
inline constexpr double greatest_integer_scale = 1e12;

// The scale itself, or a sentence that states the range.
Result<double> integer_scale(double scale);

}  // namespace vernier::noise
