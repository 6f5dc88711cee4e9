#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

// What front and workers say to each other: two lengths, then a head in JSON and a body of any bytes.
namespace vernier::server {

struct Frame {
  std::string head;
  std::string body;
};

inline constexpr std::size_t most_head_bytes = std::size_t{1} << 20, most_body_bytes = std::size_t{1} << 29;

using Lengths = std::array<std::uint32_t, 2>;  // of both, as this machine writes them: a frame never leaves it

inline Lengths lengths_of(const Frame& frame) {
  return {static_cast<std::uint32_t>(frame.head.size()), static_cast<std::uint32_t>(frame.body.size())};
}

inline bool is_possible(const Lengths& lengths) {
  return lengths[0] <= most_head_bytes && lengths[1] <= most_body_bytes;
}

}  // namespace vernier::server
