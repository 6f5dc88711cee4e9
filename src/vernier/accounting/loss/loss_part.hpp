#pragma once

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/core/types.hpp"

namespace vernier::accounting {

// Which of two neighbours P is: remove, the one that holds the unit more; add, the one without it. Each direction is
// composed by itself, and the larger answer counts; they are never mixed in one sum.
enum class Direction : std::uint8_t { remove, add };

// A number of independent releases of one loss law.
struct LossPart {
  LossLaw law;
  double times = 1;          // whole
  Bounds infinite = {0, 0};  // the chance of an infinite loss, in each of them
};

}  // namespace vernier::accounting
