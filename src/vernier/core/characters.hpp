#pragma once

#include <string>
#include <string_view>

// Characters of UTF-8, one by one.
namespace vernier {

inline constexpr char32_t no_character = 0xFFFFFFFF;

// Takes one character of UTF-8 off a text that is not empty; of bytes that are none it takes one and gives
// `no_character`.
char32_t take_character(std::string_view& text);

void append_character(std::string& text, char32_t c);

// Controls, what cannot be seen, and what turns the direction of the text around it.
bool is_unseen(char32_t c);

}  // namespace vernier
