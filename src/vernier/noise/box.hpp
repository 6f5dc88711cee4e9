#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/lazy_uniform.hpp"
#include "vernier/random/source.hpp"

namespace vernier::noise {

// Noise for several numbers at once, the K-norm law of a box: Z_j = floor(H_j Y_j + 1/2), where Y over the reals has
// the density exp(-max abs(y_j) / scale) up to a factor. However many numbers there are, and however each of them is
// moved by up to `shift` times its H_j, it gives away what one Laplace noise of this scale does that is moved by
// `shift`. box.md has the proof.
class Box {
 public:
  static Result<Box> of(LaplaceScale scale) { return Box(scale.value()); }
  double scale() const { return scale_; }

 private:
  explicit Box(double scale) : scale_(scale) {}
  double scale_;
};

// Up to so many numbers at once.
inline constexpr std::size_t most_box_numbers = 24;

// P[abs(a Y_i + b Y_j) > t] at scale 1 for `numbers` of them, 2 at least where b is not 0, from above: for all a and b
// of at most these sizes, t >= 0.
double box_outside(std::size_t numbers, double a, double b, double t);

// A t with box_outside(numbers, a, b, t) <= alpha, and but for one part in 2^40 the least such.
double box_reach(std::size_t numbers, double a, double b, Alpha alpha);

// Draws the noise of numbers with these H_j, exactly: random bits are taken until every rounding is certain.
class BoxSampler {
 public:
  // Refused: no number or too many, and noise that may leave 62 bits.
  static Result<BoxSampler> of(const Box& law, std::vector<std::int64_t> halves);

  std::size_t numbers() const { return halves_.size(); }

  template <class Stream>
  Result<void> draw(random::BasicSource<Stream>& source, std::span<std::int64_t> out) const {
    std::vector<numeric::LazyUniform> uniforms(2 * halves_.size() + 1);
    for (long bits = 128;; bits += 64) {
      for (numeric::LazyUniform& one : uniforms) VERNIER_TRY(one.extend(source.draws));
      if (is_certain(uniforms, {bits}, out)) return {};
    }
  }

 private:
  BoxSampler(const Box& law, std::vector<std::int64_t> halves) : law_(law), halves_(std::move(halves)) {}

  // What these uniforms make of the noise, where it is certain: the first for the places in the box, the others, one
  // more, for its size.
  bool is_certain(std::span<const numeric::LazyUniform> uniforms, numeric::Precision precision,
                  std::span<std::int64_t> out) const;

  Box law_;
  std::vector<std::int64_t> halves_;
};

}  // namespace vernier::noise
