#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::engine {

// The cells of the first line of a CSV file. The line is read byte by byte: nothing behind it leaves the file.
Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted = true);

// The cells of one line, which, where `quoted`, may stand in double quotes, a quote within them being doubled.
Result<std::vector<std::string>> split_cells(std::string_view line, char delimiter, bool quoted = true);

}  // namespace vernier::engine
