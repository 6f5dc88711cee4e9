#pragma once

#include <cstdint>

#include "vernier/core/result.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::numeric {

// A uniform real number in [0, 1) of which only the first bits are known so far; the others are drawn when a comparison
// needs them.
class LazyUniform {
 public:
  LazyUniform() : LazyUniform(0, 0) {}
  LazyUniform(std::uint64_t first, int bits);  // the first `bits` bits
  LazyUniform(const LazyUniform& other);
  LazyUniform& operator=(const LazyUniform&) = delete;
  ~LazyUniform();

  // Appends one word of `more`, or the low WordBits bits of it.
  template <int WordBits = 64, class Bits>
  Result<void> extend(Bits& more) {
    VERNIER_TRY(const auto word, more.next());
    append(WordBits == 64 ? word : word & ((std::uint64_t{1} << (WordBits % 64)) - 1), WordBits);
    return {};
  }

  void append(std::uint64_t word, int bits);  // the next `bits` bits

  Ball ball(Precision precision) const;  // every number that begins with the known bits

 private:
  fmpz_t numerator_;
  long bits_;
};

}  // namespace vernier::numeric
