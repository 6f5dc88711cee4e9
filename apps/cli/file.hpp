#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::cli {

// The whole content of a file, or of a pipe, of at most so many bytes.
inline constexpr std::size_t most_bytes = std::size_t{1} << 26;
Result<std::string> read_file(const std::string& path, std::size_t most = most_bytes);

// Whether nothing has this name, not even a link that leads nowhere: no command writes over what is there.
Result<void> check_new(const std::string& path);

// Writes the whole file or nothing: to a new file beside it, which then takes its name. What is there already, whatever
// it is, is left as it is, and that is an error.
Result<void> write_file(const std::string& path, std::string_view content);

}  // namespace vernier::cli
