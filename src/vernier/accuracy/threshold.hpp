#pragma once

#include "vernier/accuracy/parameters.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accuracy {

// How often a single cell may lie outside so that `cells` independent ones all lie inside with probability 1 - alpha:
// 1 - (1 - alpha)^(1 / cells), exactly alpha for one cell.
class Threshold {
 public:
  Threshold(Alpha alpha, Cells cells);

  Bounds bounds() const { return bounds_; }
  numeric::Ball ball(numeric::Precision precision) const;
  double about() const { return bounds_.upper; }  // in (0, 1), for guesses

 private:
  Alpha alpha_;
  Cells cells_;
  Bounds bounds_;
};

}  // namespace vernier::accuracy
