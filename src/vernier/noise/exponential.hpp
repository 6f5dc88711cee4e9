#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::noise {

// The law of a choice (the exponential mechanism of McSherry and Talwar): each candidate t has a whole distance from
// what is wanted, one of them at least has distance 0, and P[t] is proportional to exp(-distance(t) / (2 scale)), for
// exactly the scale that the double holds. Where one unit moves no distance by more than `shift`, a choice is
// shift/scale-private, as a number with geometric noise of this scale is that moves by `shift`. exponential.md.
class Exponential {
 public:
  static Result<Exponential> of(LaplaceScale scale);
  double scale() const { return scale_; }

  // The least whole d >= 1 for which P[distance >= d] <= tau is certain, whatever the distances of so many candidates
  // (2 to 2^53) are; 0 < tau < 1.
  Result<std::int64_t> distance_quantile(std::int64_t candidates, Probability tau) const;

  // A scale, rounded down, at which that distance is `distance` at most and no shorter one would do for a scale that
  // is larger by a millionth; it may leave the range of scales, and then is its end.
  static double scale_for(std::int64_t distance, std::int64_t candidates, Probability tau);

  numeric::Ball weight(std::int64_t distance, numeric::Precision) const;  // exp(-distance / (2 scale))

 private:
  explicit Exponential(double scale) : scale_(scale) {}
  double scale_;
};

}  // namespace vernier::noise
