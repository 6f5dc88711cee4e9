#pragma once

#include <string>
#include <string_view>

namespace vernier {

// The text as it may be shown to a person, on one line: every control, every character that cannot be seen or that
// turns the direction of its surroundings, and every byte that is no UTF-8 is spelled out, as \x1b, \u{202e} or \xff.
// What a row of data or a name has in it so moves no cursor and changes no colour, whatever it is shown on.
std::string seen_text(std::string_view text);

// The same where a document has lines of its own: tabs and line ends stay.
std::string seen_lines(std::string_view text);

}  // namespace vernier
