#include "support/seeded_bits.hpp"

#include <bit>

namespace vernier::testing {
namespace {

std::uint64_t split_mix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

SeededBits::SeededBits(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = split_mix(seed);
}

Result<void> SeededBits::fill(std::span<std::uint64_t> words) {
  for (std::uint64_t& word : words) word = step();
  return {};
}

std::uint64_t SeededBits::step() {
  const std::uint64_t word = std::rotl(state_[1] * 5, 7) * 9;
  const std::uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return word;
}

SeededSource seeded_source(std::uint64_t seed) { return {SeededBits(seed), SeededBits(seed ^ 0x657874656e736975)}; }

}  // namespace vernier::testing
