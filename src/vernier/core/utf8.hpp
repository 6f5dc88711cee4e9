#pragma once

#include <string_view>

namespace vernier {

// Whether this is UTF-8 as Unicode 15 has it (table 3-7): no overlong forms, no surrogates, nothing beyond U+10FFFF.
bool is_utf8(std::string_view text);

}  // namespace vernier
