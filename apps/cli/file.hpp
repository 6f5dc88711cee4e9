#pragma once

#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// Writes the whole file or nothing: to a new file beside it, which then takes its name. A file that is there is
// replaced; a directory or a device is refused.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace vernier::cli
