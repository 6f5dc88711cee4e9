#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {

struct Draws {
  std::variant<std::vector<std::int64_t>, std::vector<double>> values;
  std::optional<double> granularity;  // of the grid, for the real laws
};

// Independent draws of the law, from the randomness of the operating system.
Result<Draws> draw(const noise::AnyLaw& law, std::size_t size);

}  // namespace vernier::cli
