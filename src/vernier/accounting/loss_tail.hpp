#pragma once

namespace vernier::accounting {

// What a law of losses says about an epsilon, as a guide for searches: delta = E[(1 - e^(epsilon - L))+] and how it
// falls.
struct LossTail {
  double log_delta;      // minus infinity for 0
  double relative_fall;  // -(d delta / d epsilon) / delta
};

}  // namespace vernier::accounting
