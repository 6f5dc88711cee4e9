#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vernier::random {

// Overwrites memory with zeros, in a way that the compiler may not leave out.
void wipe(std::span<std::byte> bytes) noexcept;
void wipe(std::span<std::uint64_t> words) noexcept;

}  // namespace vernier::random
