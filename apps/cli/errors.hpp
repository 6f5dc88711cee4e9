#pragma once

#include <string>
#include <string_view>

#include "vernier/core/result.hpp"
#include "vernier/core/suggestion.hpp"

namespace vernier::cli {

inline constexpr int exit_success = 0, exit_failure = 1, exit_usage = 2;

// 2 where the user's own words were wrong, 1 for everything else.
int exit_code(const Error& error);

// The text on one line that no terminal can be led astray by, whatever bytes a file or an argument brought into it.
std::string one_line(std::string_view text);

// The error as one line for standard error, whatever bytes an argument brought into it. Lines that are set in by two
// blanks, such as a statement with its caret, stay lines.
std::string error_line(const Error& error);

}  // namespace vernier::cli
