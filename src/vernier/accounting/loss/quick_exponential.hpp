#pragma once

#include <bit>
#include <cstdint>

#include "vernier/noise/kernels.hpp"

// exp, expm1 and log1p without branches or calls, for loops that the compiler turns into vectors. quick_exponential.md
// has the proofs of their errors.
namespace vernier::accounting::quick {

inline constexpr double exp_units = 4;    // relative, of exp for -700 <= x <= 700
inline constexpr double expm1_units = 9;  // relative, of expm1 for -600 <= x <= 600
inline constexpr double log1p_units = 5;  // relative, of log1p for x >= -1/2 up to 1e270

inline constexpr double log_two_head = 0x1.62e42fefa38p-1;  // 42 bits: products with whole numbers to 2^11 are exact
inline constexpr double log_two_tail = 0x1.ef35793c7673p-45;
inline constexpr double to_whole = 0x1.8p52;

struct Reduced {
  double scale;      // 2^k
  double remainder;  // e^r - 1, where x = k ln 2 + r
};

[[gnu::always_inline]] inline Reduced reduced(double x) {
  const double shifted = x * 0x1.71547652b82fep+0 + to_whole;
  const double k = shifted - to_whole;
  const double r = (x - k * log_two_head) - k * log_two_tail;
  double p = 1.0 / 6227020800;
  p = p * r + 1.0 / 479001600;
  p = p * r + 1.0 / 39916800;
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  const std::uint64_t exponent = (std::bit_cast<std::uint64_t>(shifted) + 1023) << 52;
  return {std::bit_cast<double>(exponent), r + r * r * p};
}

[[gnu::always_inline]] inline double exp(double x) {
  const Reduced parts = reduced(x);
  return parts.scale * (1 + parts.remainder);
}

[[gnu::always_inline]] inline double expm1(double x) {
  const Reduced parts = reduced(x);
  return parts.scale * parts.remainder + (parts.scale - 1);
}

// 1 + x = 2^k (1 + f) + rest exactly; ln(1 + f) = f - s (f - R(s^2)), s = f / (2 + f).
[[gnu::always_inline]] inline double log1p(double x) {
  const double y = 1 + x, taken = y - 1;
  const double rest = (1 - (y - taken)) + (x - taken);
  constexpr std::uint64_t one = std::uint64_t{1} << 52, root_half = 0x3fe6a09e667f3bcd;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(y);
  const std::uint64_t above = (bits - root_half + one) >> 52;  // k + 1
  const double k = noise::kernels::to_double(above) - 1;
  const double f = std::bit_cast<double>(bits - (above << 52) + one) - 1;
  const double s = f / (2 + f), z = s * s;
  double p = 2.0 / 19;
  p = p * z + 2.0 / 17;
  p = p * z + 2.0 / 15;
  p = p * z + 2.0 / 13;
  p = p * z + 2.0 / 11;
  p = p * z + 2.0 / 9;
  p = p * z + 2.0 / 7;
  p = p * z + 2.0 / 5;
  p = p * z + 2.0 / 3;
  const double log_mantissa = f - s * (f - z * p);
  return k * log_two_head + (log_mantissa + (rest / y + k * log_two_tail));
}

}  // namespace vernier::accounting::quick
