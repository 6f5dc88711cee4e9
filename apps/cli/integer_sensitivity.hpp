#pragma once

#include <string_view>

#include "cli/decimal.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::cli {

// Reads the sensitivity of a mechanism over the whole numbers; another number, however near to one, is refused with
// the whole number that covers it.
Result<privacy::IntegerSensitivity> read_integer_sensitivity(std::string_view name, std::string_view text);
Result<privacy::IntegerSensitivity> integer_sensitivity(std::string_view name, const Written& written);

}  // namespace vernier::cli
