#pragma once

namespace vernier::numeric {

// While it lives, whatever FLINT, Arb and GMP give back is overwritten with zeros first: the random bits of a draw, and
// what was computed from them, are not found in freed memory. Their own functions go on beneath, so that memory from
// before and from after fits. (What FLINT keeps for its next number is not given back; its owner overwrites it.)
class WipedMemory {
 public:
  WipedMemory();
  ~WipedMemory();
  WipedMemory(const WipedMemory&) = delete;
  WipedMemory& operator=(const WipedMemory&) = delete;
};

}  // namespace vernier::numeric
