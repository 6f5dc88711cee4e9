#include "vernier/ledger/keyed_hash.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "vernier/random/entropy.hpp"

namespace vernier::ledger {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() {
    v0 += v1;
    v2 += v3;
    v1 = std::rotl(v1, 13) ^ v0;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 = std::rotl(v0, 32) + v3;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 = std::rotl(v2, 32);
  }
  void take(std::uint64_t word) {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  std::uint64_t finish() {
    v2 ^= 0xff;
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

// The bytes as a little-endian number; 8 at most.
std::uint64_t word_of(std::string_view bytes) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    word |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << 8U * i;
  }
  return word;
}

std::uint64_t whole_word(const char* bytes) {
  if constexpr (std::endian::native != std::endian::little) return word_of({bytes, 8});
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

}  // namespace

Result<KeyedHash> KeyedHash::with_random_key() {
  std::array<std::uint64_t, 2> key{};
  return random::KernelEntropy::read(std::as_writable_bytes(std::span(key))).map([&] {
    return KeyedHash(key[0], key[1]);
  });
}

std::uint64_t KeyedHash::of(std::string_view text) const {
  State state{low_ ^ 0x736f6d6570736575, high_ ^ 0x646f72616e646f6d, low_ ^ 0x6c7967656e657261,
              high_ ^ 0x7465646279746573};
  const std::uint64_t length = std::uint64_t{text.size()} << 56U;  // its last byte counts
  for (; text.size() >= 8; text.remove_prefix(8)) state.take(whole_word(text.data()));
  state.take(word_of(text) | length);
  return state.finish();
}

}  // namespace vernier::ledger
