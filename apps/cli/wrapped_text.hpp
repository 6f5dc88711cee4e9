#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace vernier::cli {

inline constexpr std::size_t line_width = 80;

// The text behind its first words, broken between words so that lines stay within 80 characters where they can; lines
// after the first begin with so many blanks. Ends its last line.
std::string wrapped(const std::string& first, std::string_view text, std::size_t indent);

// At most so many characters of UTF-8: what is longer ends in "…".
std::string shortened(const std::string& text, std::size_t most);

}  // namespace vernier::cli
