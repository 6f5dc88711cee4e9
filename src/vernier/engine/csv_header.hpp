#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::engine {

// The cells of the first line of a CSV file. The line is read byte by byte: nothing behind it leaves the file. It ends
// with LF or CR LF; where a CR stands elsewhere, the lines of the file are not those that it is read by. No sentence
// has anything of the line in it, which may be data.
Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted = true);

// The same of an open file, which stands behind the line then.
Result<std::vector<std::string>> header_of(int file, const std::string& path, char delimiter, bool quoted);

// The cells of one line, which, where `quoted`, may stand in double quotes, a quote within them being doubled.
Result<std::vector<std::string>> split_cells(std::string_view line, char delimiter, bool quoted = true);

Failure unreadable_file(const std::string& path, const std::string& reason);

}  // namespace vernier::engine
