#pragma once

#include <cstdint>
#include <string_view>

#include "vernier/core/result.hpp"

namespace vernier::ledger {

// SipHash-2-4 (Aumasson and Bernstein 2012): 64 bits of a text that nobody foresees without the key, so that nobody can
// choose texts that fall together.
class KeyedHash {
 public:
  static Result<KeyedHash> with_random_key();
  constexpr KeyedHash(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}

  std::uint64_t of(std::string_view text) const;

 private:
  std::uint64_t low_, high_;
};

}  // namespace vernier::ledger
