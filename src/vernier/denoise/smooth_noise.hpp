#pragma once

#include <optional>
#include <vector>

#include "vernier/core/types.hpp"

// How far a sum of independent Laplace draws and one normal draw reaches. weighted_noise.md has the proofs.
namespace vernier::denoise {

// Laplace draws of one scale, alike and independent.
struct LaplaceDraws {
  double scale;
  double count;
};

class SmoothNoise {
 public:
  // All scales are positive; a deviation of 0 is no normal draw, and there is one draw at least. Asked for tails down
  // to `least`.
  static SmoothNoise of(std::vector<LaplaceDraws> laplace, double deviation, Alpha least);

  // An x with P[abs(sum) > x] <= tail for certain: by inversion of the characteristic function nearly the least, by
  // Chernoff's bound where that is not to be had.
  double reach(Alpha tail) const;
  double reach_by_moments(Alpha tail) const;

  // P[abs(sum) > x] from above, x >= 0, in the same two ways; of one Laplace draw at least.
  double tail(double x) const;

 private:
  SmoothNoise(std::vector<LaplaceDraws> laplace, double deviation)
      : laplace_(std::move(laplace)), deviation_(deviation) {}
  struct Size {
    double largest;  // of the scales
    double variance;
  };
  Size size() const;
  double log_moment(double lambda) const;
  double tail_by_moments(double x) const;
  double log_transform(double omega) const;
  double cut_off(double omega) const;
  bool tabulate(double wanted, double furthest);
  double outside(double x) const;

  std::vector<LaplaceDraws> laplace_;
  double deviation_;
  // Of the characteristic function at (j + 1/2) step, times what does not depend on x; none where it decays too slowly.
  std::vector<double> table_;
  double step_ = 0, error_ = 0, furthest_ = 0;
};

}  // namespace vernier::denoise
