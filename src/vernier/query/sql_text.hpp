#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "vernier/core/result.hpp"

// The text of a statement: what may be handed to a parser at all, and how a place in it is shown.
namespace vernier::query {

inline constexpr std::size_t greatest_statement = 65536;  // bytes; long chains of AND take quadratic time beyond
inline constexpr std::size_t greatest_arrows = 8;         // -> and lambda; the parser takes 2^n for n of them

// The guards before the parser: size, UTF-8 without NUL, and few arrows.
Result<void> check_statement(std::string_view sql);

// The sentence, then the line of the statement and a caret below the byte. Without a byte, the sentence alone.
std::string with_caret(std::string sentence, std::string_view sql, std::optional<std::size_t> byte);

// The byte at which a character (counted from 0) begins.
std::size_t byte_of_character(std::string_view sql, std::size_t character);

// A name as a sentence may show it: without control characters, and not too long.
std::string shown(std::string_view name);

}  // namespace vernier::query
