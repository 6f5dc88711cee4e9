#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

// Replaces malloc() and free() by ones that keep what was in the memory that is given back while it is watched.
namespace vernier::testing {

// Everything that is given back while the action runs, in this thread or another. Throws where it is more than 1 GB.
void watch_freed_memory(const std::function<void()>& action);

std::size_t freed_bytes();   // that the last action gave back
std::size_t freed_blocks();  // in so many pieces

// How often each of these 64-bit patterns is found there, at multiples of 8; and whether a text is.
using Patterns = std::unordered_map<std::uint64_t, int>;
void count_in_freed_memory(Patterns& patterns);
bool is_in_freed_memory(std::string_view text);

}  // namespace vernier::testing
