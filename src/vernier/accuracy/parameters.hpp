#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accuracy {

using vernier::Alpha;

// How many independent cells a statement holds for together: 1 to 1e9.
struct Cells : Checked<Cells, std::int64_t> {
  static Result<void> check(std::int64_t value);
  static Cells one() { return made(1); }
};

// A wanted accuracy: finite and not negative, at most 1e15; a whole number for integer noise, above 0 for real noise.
struct Accuracy : Checked<Accuracy> {
  static Result<void> check(double value);
};

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
