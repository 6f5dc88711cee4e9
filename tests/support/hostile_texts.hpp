#pragma once

#include <random>
#include <string>
#include <vector>

namespace vernier::testing {

// 500 texts that end quotes, comments and statements.
inline std::vector<std::string> hostile_texts() {
  const std::vector<std::string> parts = {"'", "\"", "`",  "\\",  "--",     "/*",     "*/",
                                          ";", "\n", "$$", "O'x", "\u00e9", "\u202e", "x"};
  std::mt19937_64 bits(3);
  std::vector<std::string> all = {"", "'", "\\", "\\'", "'; DROP TABLE t; --", "x\\"};
  while (all.size() < 500) {
    std::string text;
    for (std::size_t i = 0; i < 1 + bits() % 6; ++i) text += parts[bits() % parts.size()];
    all.push_back(text);
  }
  return all;
}

}  // namespace vernier::testing
