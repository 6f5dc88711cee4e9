#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "vernier/core/result.hpp"

struct evp_cipher_ctx_st;  // OpenSSL's cipher context

namespace vernier::random {

// 32 bytes of key and 16 bytes of counter.
inline constexpr std::size_t seed_bytes = 48;
using SeedBytes = std::span<std::byte, seed_bytes>;

// AES-256 in counter mode with fast key erasure (Bernstein 2017): after each run of words the next 48 bytes of the
// stream become the next key and counter. The key that made the words is gone by the time the caller has them.
// After an error the state is gone too, and only a new keystream can go on.
class Keystream {
 public:
  static constexpr std::size_t greatest_run = 2048;  // words under one key: 16 KiB

  // The seed is wiped.
  static Result<Keystream> open(SeedBytes seed);

  // Writes the next words, at most greatest_run, into the caller's memory; on an error they are zero.
  Result<void> write(std::span<std::uint64_t> words);

  // The next key becomes the next 48 bytes of the stream XOR `fresh`, which is wiped: no weaker than either alone.
  Result<void> mix(SeedBytes fresh);

 private:
  struct Close {
    void operator()(evp_cipher_ctx_st* context) const noexcept;
  };
  using Context = std::unique_ptr<evp_cipher_ctx_st, Close>;  // OpenSSL clears it when it is freed

  explicit Keystream(Context context) : context_(std::move(context)) {}
  bool encrypt(std::span<std::byte> bytes);
  bool install(SeedBytes seed);
  Failure close();

  Context context_;
};

}  // namespace vernier::random
