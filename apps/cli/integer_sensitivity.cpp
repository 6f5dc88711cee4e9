#include "cli/integer_sensitivity.hpp"

#include <cmath>

#include <fmt/format.h>

#include "cli/numbers.hpp"
#include "vernier/core/text.hpp"

namespace vernier::cli {

Result<privacy::IntegerSensitivity> integer_sensitivity(std::string_view name, const Written& written) {
  const auto& [text, value] = written;
  const bool is_whole = value.down == value.up && value.down == std::floor(value.down);
  if (!is_whole && value.nearest < 0x1p53) {
    return invalid(
        fmt::format("{} must be a whole number for a mechanism over the whole numbers, but it is {}; write {}", name,
                    text, shortest(std::floor(value.nearest) + 1)));
  }
  return read_whole(name, text).and_then(privacy::IntegerSensitivity::of);
}

Result<privacy::IntegerSensitivity> read_integer_sensitivity(std::string_view name, std::string_view text) {
  return read_written(name, text).and_then([&](const Written& written) { return integer_sensitivity(name, written); });
}

}  // namespace vernier::cli
