#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "vernier/noise/kernels.hpp"
#include "vernier/numeric/double_double.hpp"

// exp, expm1 and log1p without branches or calls, for loops that the compiler turns into vectors. quick.md
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

// Sine and cosine likewise, and how such loops add up; node_law.md has the errors.
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

// Loop::run, an always_inline function, compiled for each instruction set by itself: one source, and the compiler
// vectorises it for the set that is asked. The type of the function is that of Loop::run.
template <class Loop, class Function = decltype(Loop::run)>
struct PerIsa;

template <class Loop, class Answer, class... Arguments>
struct PerIsa<Loop, Answer(Arguments...)> {
  static Answer baseline(Arguments... arguments) { return Loop::run(arguments...); }
#if defined(__x86_64__)
  __attribute__((target("avx2,fma"))) static Answer avx2(Arguments... arguments) { return Loop::run(arguments...); }
  __attribute__((target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512"))) static Answer avx512(
      Arguments... arguments) {
    return Loop::run(arguments...);
  }
#endif

  static Answer run(noise::kernels::Isa isa, Arguments... arguments) {
#if defined(__x86_64__)
    if (isa == noise::kernels::Isa::avx512) return avx512(arguments...);
    if (isa == noise::kernels::Isa::avx2) return avx2(arguments...);
#endif
    static_cast<void>(isa);
    return baseline(arguments...);
  }
};

}  // namespace vernier::accounting::quick
