#pragma once

#include "cli/program_error.hpp"

// What files say in TOML, for somebody who wrote R.
namespace vernier::r {

std::string r_spelling(std::string_view name, std::string_view value);

}  // namespace vernier::r
