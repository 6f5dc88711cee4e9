#pragma once

#include <cstdint>

#include "vernier/core/result.hpp"

namespace vernier::testing {

// A mutant of ForkMark that sees no fork: with it a child goes on with a byte copy of its parent's stream, as every
// generator does that keeps a buffer over fork() and as a restored snapshot of a machine does.
struct BlindMark {
  static Result<BlindMark> open() { return BlindMark(); }
  std::uint64_t generation() const { return 1; }
  bool holds(std::uint64_t generation) const { return generation == 1; }
};

}  // namespace vernier::testing
