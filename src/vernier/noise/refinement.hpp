#pragma once

#include <cstdint>
#include <optional>

#include "vernier/core/result.hpp"
#include "vernier/noise/floored_masses.hpp"
#include "vernier/numeric/lazy_uniform.hpp"

// The rare decisions of a sampler that its first bits leave open, made exactly: a comparison is answered only when it
// is certain, and until then more random bits and more precision are taken. Both end with probability 1.
namespace vernier::noise {

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
