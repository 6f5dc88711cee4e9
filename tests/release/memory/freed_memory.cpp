#include "release/memory/freed_memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <stdexcept>

#include <malloc.h>
#include <sys/mman.h>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void __libc_free(void* memory);
}

namespace vernier::testing {
namespace {

constexpr std::size_t room = std::size_t{1} << 30;
std::atomic<bool> is_watched{false};
std::mutex keeping;
std::byte* kept = nullptr;  // outside of what malloc gives
std::size_t kept_bytes = 0, kept_blocks = 0;
bool was_too_much = false;

void keep(const void* memory) {
  const std::lock_guard lock(keeping);
  const std::size_t size = malloc_usable_size(const_cast<void*>(memory)) / 8 * 8;
  was_too_much = was_too_much || kept_bytes + size > room;
  if (was_too_much) return;
  std::memcpy(kept + kept_bytes, memory, size);
  kept_bytes += size;
  ++kept_blocks;
}

}  // namespace

void give_back(void* memory) {
  if (memory != nullptr && is_watched) keep(memory);
  __libc_free(memory);
}

// Nothing of who had the memory before: that was not given back under watch.
void* clean(std::size_t size) {
  void* const memory = __libc_malloc(size);
  if (memory != nullptr) std::memset(memory, 0, malloc_usable_size(memory));
  return memory;
}

void* moved(void* memory, std::size_t size) {
  if (memory == nullptr) return clean(size);
  if (!is_watched) return __libc_realloc(memory, size);
  void* const other = clean(size);
  if (other == nullptr) return nullptr;
  std::memcpy(other, memory, std::min(size, malloc_usable_size(memory)));
  give_back(memory);
  return other;
}

void watch_freed_memory(const std::function<void()>& action) {
  if (kept == nullptr) {
    void* const mapped =
        mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) throw std::bad_alloc();
    kept = static_cast<std::byte*>(mapped);
  }
  kept_bytes = kept_blocks = 0;
  was_too_much = false;
  is_watched = true;
  action();
  is_watched = false;
  if (was_too_much) throw std::runtime_error("more than 1 GB was given back; let the action do less");
}

std::size_t freed_bytes() { return kept_bytes; }
std::size_t freed_blocks() { return kept_blocks; }

void count_in_freed_memory(Patterns& patterns) {
  for (std::size_t at = 0; at < kept_bytes; at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, kept + at, 8);
    if (const auto found = patterns.find(word); found != patterns.end()) ++found->second;
  }
}

bool is_in_freed_memory(std::string_view text) { return memmem(kept, kept_bytes, text.data(), text.size()) != nullptr; }

}  // namespace vernier::testing

extern "C" {
void* malloc(std::size_t size) { return vernier::testing::clean(size); }
void* calloc(std::size_t count, std::size_t size) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(count, size, &bytes) ? nullptr : vernier::testing::clean(bytes);
}
void free(void* memory) { vernier::testing::give_back(memory); }
void* realloc(void* memory, std::size_t size) { return vernier::testing::moved(memory, size); }
}

// Those of the library may go ways of their own.
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
