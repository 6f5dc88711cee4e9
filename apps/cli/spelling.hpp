#pragma once

#include <string>
#include <string_view>

namespace vernier::cli {

// How a surface spells its options, so that a rule has one sentence on all of them.
struct Spelling {
  std::string_view before;
  std::string_view between;

  std::string name(std::string_view key) const { return std::string(before).append(key); }
  std::string with(std::string_view key, std::string_view value) const {
    return name(key).append(between).append(value);
  }
};

inline constexpr Spelling on_command_line{"--", " "};  // --delta 1e-6
inline constexpr Spelling in_python{"", "="};          // delta=1e-6

}  // namespace vernier::cli
