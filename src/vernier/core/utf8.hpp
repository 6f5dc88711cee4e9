#pragma once

#include <string>
#include <string_view>

namespace vernier {

// Whether this is UTF-8 as Unicode 15 has it (table 3-7): no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

// Characters of UTF-8, one by one.
inline constexpr char32_t no_character = 0xFFFFFFFF;

// Takes one character of UTF-8 off a text that is not empty; of bytes that are none it takes one and gives
// `no_character`.
char32_t take_character(std::string_view& text);

void append_character(std::string& text, char32_t c);

// Controls, what cannot be seen, and what turns the direction of the text around it.
bool is_unseen(char32_t c);

// The text as it may be shown to a person, on one line: every control, every character that cannot be seen or that
// turns the direction of its surroundings, and every byte that is no UTF-8 is spelled out, as \x1b, \u{202e} or \xff.
// What a row of data or a name has in it so moves no cursor and changes no colour, whatever it is shown on.
std::string seen_text(std::string_view text);

// The same where a document has lines of its own: tabs and line ends stay.
std::string seen_lines(std::string_view text);

}  // namespace vernier
