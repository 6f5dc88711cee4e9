#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace vernier::random {

// Overwrites memory with zeros, in a way that the compiler may not leave out.
void wipe(std::span<std::byte> bytes) noexcept;
void wipe(std::span<std::uint64_t> words) noexcept;

// Gives back memory only after all of it was overwritten: also what a container left behind when it grew, or behind
// its end.
template <class T>
struct WipingAllocator {
  using value_type = T;

  WipingAllocator() = default;
  template <class U>
  WipingAllocator(const WipingAllocator<U>&) {}  // NOLINT(google-explicit-constructor): containers rebind it

  T* allocate(std::size_t count) { return std::allocator<T>().allocate(count); }
  void deallocate(T* first, std::size_t count) {
    wipe(std::span(reinterpret_cast<std::byte*>(first), count * sizeof(T)));
    std::allocator<T>().deallocate(first, count);
  }

  friend bool operator==(const WipingAllocator&, const WipingAllocator&) { return true; }
};

// For exact numbers of data, and what is derived from them.
template <class T>
using Wiped = std::vector<T, WipingAllocator<T>>;

}  // namespace vernier::random
