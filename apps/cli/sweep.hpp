#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/decimal.hpp"
#include "vernier/core/result.hpp"

namespace vernier::cli {

inline constexpr long long most_sweep_points = 10'000;

// One quantity over a range, each point the same factor above the one before.
struct Sweep {
  std::string key;
  std::vector<Decimal> points;  // rising; the ends as they were written, the others doubles
};

// Reads "epsilon=0.1:10:50": the key, one of `keys`, the first value, the last, and how many points from 2 on.
// Sentences name the option.
Result<Sweep> read_sweep(std::string_view text, const std::vector<std::string>& keys,
                         const std::string& option = parameter("sweep"), long long most_points = most_sweep_points);

// The points as whole numbers, each once.
void round_to_whole(Sweep& sweep);

inline constexpr long long most_spread_values = 10'000;

// "0.5", or "0.1,0.3,1": each above the one before, or "0.1:1:10": the first value, the last one, and how many there
// are with both, equally far apart. Values between the ends are rounded to 12 digits, so that they read as they were
// meant. Sentences name the option.
Result<std::vector<double>> read_spread(std::string_view option, std::string_view text);

// The same as whole numbers, each once.
Result<std::vector<double>> read_whole_spread(std::string_view option, std::string_view text);

}  // namespace vernier::cli
