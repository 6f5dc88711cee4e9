#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/lazy_uniform.hpp"

namespace vernier::noise {

// The law of a table index m = 0, 1, 2, ...: P[m] proportional to law.weight(m), where the weight of 0 counts half
// (`direct`: m is abs(X), and its sign is a fair bit) or whole (`bucket`: m numbers a run of magnitudes on either
// side).
template <class Law>
class IndexLaw {
 public:
  static IndexLaw direct(const Law& law) { return IndexLaw(law, true); }
  static IndexLaw bucket(const Law& law) { return IndexLaw(law, false); }

  const Law& law() const { return law_; }

  // What a weight is multiplied by to be a probability: of an index above 0, and of index 0.
  numeric::Ball factor(numeric::Precision precision) const {
    const numeric::Ball two = numeric::Ball::of(std::int64_t{2}, precision);
    const numeric::Ball one = numeric::Ball::of(std::int64_t{1}, precision);
    return halves_zero_ ? two / law_.total(precision) : two / (law_.total(precision) + one);
  }
  numeric::Ball factor_of_zero(numeric::Precision precision) const {
    return halves_zero_ ? times_power_of_two(factor(precision), -1) : factor(precision);
  }

 private:
  IndexLaw(const Law& law, bool halves_zero) : law_(law), halves_zero_(halves_zero) {}
  Law law_;
  bool halves_zero_;
};

// Integers floors[m] <= 2^bits P[m], and what they leave: floors and leftover sum to exactly 2^bits. Any such integers
// give an exact sampler (integer_sampler.md), so nothing hangs on how near the floors are, only how rare the leftover
// is.
struct FlooredMasses {
  int bits;
  std::vector<std::uint64_t> floors;
  std::uint64_t leftover;
};

// Floors of the indices 0 .. count-1. Weights come from the recurrence w(m+1) = w(m) h(m), h(m+1) = h(m) c, which
// holds for every law whose weight is the exponential of a quadratic: h(0) = w(1), c = w(2) / w(1)^2. As Balls of 128
// bits they lose less than 2^-100. `coarse_bits` low bits of every floor are cleared: tests make the leftover common.
template <class Law>
FlooredMasses floor_masses(const IndexLaw<Law>& index, int bits, std::size_t count, int coarse_bits = 0) {
  constexpr numeric::Precision precision{128};
  const std::uint64_t kept = ~std::uint64_t{0} << coarse_bits;
  const numeric::Ball scale = times_power_of_two(index.factor(precision), bits);
  numeric::Ball ratio = index.law().weight(1, precision);
  const numeric::Ball change = index.law().weight(2, precision) / (ratio * ratio);

  FlooredMasses masses{bits, std::vector<std::uint64_t>(count, 0), std::uint64_t{1} << bits};
  numeric::Ball scaled = scale;  // 2^bits P[m]
  for (std::size_t m = 0; m < count; ++m) {
    const numeric::Ball mass = m > 0 ? scaled : times_power_of_two(index.factor_of_zero(precision), bits);
    const std::uint64_t floor = static_cast<std::uint64_t>(mass.floor_down()) & kept;
    if (m > 0 && mass.bounds().upper < 1) break;  // the masses fall from here on
    masses.floors[m] = floor;
    masses.leftover -= floor;
    scaled = scaled * ratio;
    ratio = ratio * change;
  }
  return masses;
}

// The rare decisions of a sampler that its first bits leave open, made exactly: a comparison is answered only when it
// is certain, and until then more random bits and more precision are taken. Both end with probability 1.

// Whether `uniform` < weight(base + offset) / weight(base).
template <int WordBits = 64, class Law, class Bits>
Result<bool> accepts(const Law& law, std::int64_t base, std::int64_t offset, numeric::LazyUniform uniform, Bits& more) {
  for (long bits = 128;; bits += 64) {
    const numeric::Precision precision{bits};
    const numeric::Ball threshold = law.weight(base + offset, precision) / law.weight(base, precision);
    if (const auto below = less(uniform.ball(precision), threshold)) return *below;
    VERNIER_TRY(uniform.extend<WordBits>(more));
  }
}

// The index at which `leftover` * uniform falls among the leftovers 2^bits P[m] - floors[m], or none while the bits of
// `uniform` leave that open.
template <class Law>
std::optional<std::int64_t> leftover_index(const IndexLaw<Law>& index, const FlooredMasses& masses,
                                           const numeric::LazyUniform& uniform, numeric::Precision precision) {
  const auto units = [&](std::uint64_t count) {
    return numeric::Ball::of(static_cast<std::int64_t>(count), precision);
  };
  const numeric::Ball point = units(masses.leftover) * uniform.ball(precision);
  const numeric::Ball scale = times_power_of_two(index.factor(precision), masses.bits);
  numeric::Ball sum = times_power_of_two(index.factor_of_zero(precision), masses.bits) - units(masses.floors[0]);
  for (std::int64_t m = 0;;) {
    const auto below = less(point, sum);
    if (!below) return std::nullopt;
    if (*below) return m;
    ++m;
    sum = sum + scale * index.law().weight(m, precision);
    if (static_cast<std::size_t>(m) < masses.floors.size()) {
      sum = sum - units(masses.floors[static_cast<std::size_t>(m)]);
    }
  }
}

// Draws an index from the law of the leftovers.
template <int WordBits = 64, class Law, class Bits>
[[gnu::noinline]] Result<std::int64_t> draw_leftover(const IndexLaw<Law>& index, const FlooredMasses& masses,
                                                     Bits& more) {
  numeric::LazyUniform uniform;
  for (long bits = 256;; bits += 128) {
    VERNIER_TRY(uniform.extend<WordBits>(more));
    if (const auto m = leftover_index(index, masses, uniform, {bits})) return *m;
  }
}

}  // namespace vernier::noise
