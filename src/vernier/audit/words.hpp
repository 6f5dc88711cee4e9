#pragma once

#include <string>

namespace vernier::audit {

// 0.015 as "1.5 %", 3e4 as "30000": the shortest decimal.
std::string words_of(double value);
std::string percent_words(double part);

// What a level says: "nothing speaks against it (level 0.31)".
std::string level_words(double level);

}  // namespace vernier::audit
