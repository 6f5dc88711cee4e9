#pragma once

#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/components/symmetric.hpp"
#include "vernier/interval/relation/pair_noise.hpp"

// How far the eigenvalues of a sum of known matrices, each times a noise of its own, lie from 0: components.md.
namespace vernier::interval {

// What one number with noise is in a matrix, in rows: within this radius (as a length) of the middle.
struct NoisyPart {
  Symmetric middle;
  double radius;

  double length() const { return middle.length() + radius; }
};

// Noise on sums in which a row has a weight of so many steps, at one level.
class MatrixNoise {
 public:
  static MatrixNoise of(const PairLaw& law, std::int64_t weight, Alpha alpha);

  // P[an eigenvalue of the sum of X_i A_i is beyond it in size] <= alpha, for all A_i within these parts. It grows with
  // every radius.
  double reach(std::span<const NoisyPart> parts) const;

 private:
  MatrixNoise(bool is_normal, double alpha, double scale, double step)
      : is_normal_(is_normal), alpha_(alpha), scale_(scale), step_(step) {}
  bool is_normal_;
  double alpha_, scale_, step_;
};

}  // namespace vernier::interval
