#pragma once

#include <algorithm>

#include "vernier/accounting/loss/loss_part.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

// The greatest loss of a sampled pair, rounded up, where the log ratios of the unsampled one lie in [-end, end], end >
// 0.
inline double greatest_sampled_loss(double rate, double end, Direction direction) {
  if (direction == Direction::remove) {
    return std::min(end, numeric::log1p_up(numeric::multiply_up(rate, numeric::expm1_up(end))));
  }
  return std::min(end, -numeric::log1p_down(numeric::multiply_down(rate, numeric::expm1_down(-end))));
}

}  // namespace vernier::accounting
