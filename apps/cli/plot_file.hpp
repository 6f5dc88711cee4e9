#pragma once

#include <optional>
#include <string>

#include "cli/arguments.hpp"

namespace vernier::cli {

// The file that --plot names, if it is given; it must end in .svg, and be new.
Result<std::optional<std::string>> plot_file(const Arguments& arguments);

}  // namespace vernier::cli
