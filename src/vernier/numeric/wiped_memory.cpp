#include "vernier/numeric/wiped_memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <flint/flint.h>
#include <gmp.h>
#include <malloc.h>

namespace vernier::numeric {
namespace {

// ---- GMP says how much it gives back

struct LimbFunctions {
  void* (*allocate)(std::size_t);
  void* (*move)(void*, std::size_t, std::size_t);
  void (*free)(void*, std::size_t);

  static LimbFunctions now() {
    LimbFunctions found = {};
    mp_get_memory_functions(&found.allocate, &found.move, &found.free);
    return found;
  }
};
LimbFunctions beneath = {};

void free_limbs(void* memory, std::size_t size) {
  explicit_bzero(memory, size);
  beneath.free(memory, size);
}

void* move_limbs(void* memory, std::size_t size, std::size_t wanted) {
  void* const other = beneath.allocate(wanted);  // which ends the program where there is none
  std::memcpy(other, memory, std::min(size, wanted));
  free_limbs(memory, size);
  return other;
}

// ---- FLINT does not say it, and takes its memory from the C library

void free_block(void* memory) {
  if (memory != nullptr) explicit_bzero(memory, malloc_usable_size(memory));
  std::free(memory);
}

void* move_block(void* memory, std::size_t wanted) {
  if (memory == nullptr) return std::malloc(wanted);
  const std::size_t size = malloc_usable_size(memory);
  if (wanted <= size && wanted > size / 2) return memory;
  void* const other = std::malloc(wanted);
  if (other == nullptr) return nullptr;
  std::memcpy(other, memory, std::min(size, wanted));
  free_block(memory);
  return other;
}

}  // namespace

WipedMemory::WipedMemory() {
  beneath = LimbFunctions::now();
  mp_set_memory_functions(beneath.allocate, move_limbs, free_limbs);
  __flint_set_memory_functions(std::malloc, std::calloc, move_block, free_block);
}

// A library that is unloaded leaves nothing behind.
WipedMemory::~WipedMemory() {
  if (LimbFunctions::now().free != free_limbs) return;
  mp_set_memory_functions(beneath.allocate, beneath.move, beneath.free);
  __flint_set_memory_functions(std::malloc, std::calloc, std::realloc, std::free);
}

}  // namespace vernier::numeric
