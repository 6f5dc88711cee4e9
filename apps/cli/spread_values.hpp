#pragma once

#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::cli {

inline constexpr long long most_spread_values = 10'000;

// "0.5", or "0.1,0.3,1": each above the one before, or "0.1:1:10": the first value, the last one, and how many there
// are with both, equally far apart. Values between the ends are rounded to 12 digits, so that they read as they were
// meant. Sentences name the option.
Result<std::vector<double>> read_spread(std::string_view option, std::string_view text);

// The same as whole numbers, each once.
Result<std::vector<double>> read_whole_spread(std::string_view option, std::string_view text);

}  // namespace vernier::cli
