#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "vernier/numeric/double_double.hpp"

// Sine and cosine without branches or calls, for loops that the compiler turns into vectors, and how such loops add up.
// node_law.md has the errors.
namespace vernier::accounting::quick {

inline constexpr double greatest_phase = 1e6;  // up to which `wave` holds

struct Wave {
  double cosine;
  double sine;
};

// pi/2 = head + middle + tail to 2^-119; head and middle have 33 bits, so that their products with whole numbers below
// 2^20 are exact.
inline constexpr double half_pi_head = 0x1.921fb5440p+0;
inline constexpr double half_pi_middle = 0x1.0b4611a60p-34;
inline constexpr double half_pi_tail = 0x1.3198a2e037073p-69;
inline constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
inline constexpr double quarters_to_whole = 0x1.8p52;  // adding it leaves the nearest whole number in the last bits

// Taylor to r^15; what is left out is below r^17/17! < 0.42 2^-53.
[[gnu::always_inline]] inline double short_sine(double r, double square) {
  double p = -1.0 / 1307674368000;
  p = p * square + 1.0 / 6227020800;
  p = p * square - 1.0 / 39916800;
  p = p * square + 1.0 / 362880;
  p = p * square - 1.0 / 5040;
  p = p * square + 1.0 / 120;
  p = p * square - 1.0 / 6;
  return r + r * (square * p);
}

// Taylor to r^16; what is left out is below r^18/18! < 0.02 2^-53.
[[gnu::always_inline]] inline double short_cosine(double square) {
  double p = 1.0 / 20922789888000;
  p = p * square - 1.0 / 87178291200;
  p = p * square + 1.0 / 479001600;
  p = p * square - 1.0 / 3628800;
  p = p * square + 1.0 / 40320;
  p = p * square - 1.0 / 720;
  p = p * square + 1.0 / 24;
  p = p * square - 0.5;
  return 1 + square * p;
}

[[gnu::always_inline]] inline double with_sign_bit(double x, std::uint64_t bit) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ (bit << 63));
}

// For abs(x) <= greatest_phase; both within 4 2^-53.
[[gnu::always_inline]] inline Wave wave(double x) {
  const double shifted = x * two_over_pi + quarters_to_whole;
  const std::uint64_t quarter = std::bit_cast<std::uint64_t>(shifted);
  const double turns = shifted - quarters_to_whole;
  const double r = ((x - turns * half_pi_head) - turns * half_pi_middle) - turns * half_pi_tail;
  const double square = r * r;
  const double sine = short_sine(r, square), cosine = short_cosine(square);
  const std::uint64_t odd = -(quarter & 1);
  const std::uint64_t s = std::bit_cast<std::uint64_t>(sine), c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t swap = (s ^ c) & odd;
  return {with_sign_bit(std::bit_cast<double>(c ^ swap), ((quarter >> 1) ^ quarter) & 1),
          with_sign_bit(std::bit_cast<double>(s ^ swap), (quarter >> 1) & 1)};
}

inline constexpr std::size_t lanes = 8;
inline constexpr std::size_t block = 64;  // nodes that are summed plainly; the sums of blocks are compensated

struct Compensated {
  double sum = 0;
  double rest = 0;
  void add(double x) {
    const numeric::DoubleDouble both = numeric::two_sum(sum, x);
    sum = both.hi;
    rest += both.lo;
  }
};

using Lanes = std::array<double, lanes>;

inline double folded(const Lanes& x) { return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])); }

}  // namespace vernier::accounting::quick
