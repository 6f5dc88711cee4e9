#include "vernier/accounting/loss/wave_sum.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "vernier/numeric/double_double.hpp"

// One source for all instruction sets, as in noise/kernels.cpp: the loop is inlined into a function per set, and the
// compiler vectorises each for its own. The sums are written in lanes, since it may not reorder them by itself.
namespace vernier::accounting {
namespace {

using noise::kernels::Isa;

constexpr std::size_t lanes = 8;
constexpr std::size_t block = 64;  // nodes that are summed plainly; the sums of blocks are compensated

struct Wave {
  double cosine;
  double sine;
};

// pi/2 = head + middle + tail to 2^-119; head and middle have 33 bits, so that their products with whole numbers below
// 2^20 are exact.
constexpr double half_pi_head = 0x1.921fb5440p+0;
constexpr double half_pi_middle = 0x1.0b4611a60p-34;
constexpr double half_pi_tail = 0x1.3198a2e037073p-69;
constexpr double two_over_pi = 0x1.45f306dc9c883p-1;
constexpr double to_whole = 0x1.8p52;  // adding it leaves the nearest whole number in the last bits

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

// For abs(x) <= greatest_quick_phase; both within 4 2^-53.
[[gnu::always_inline]] inline Wave quick_wave(double x) {
  const double shifted = x * two_over_pi + to_whole;
  const std::uint64_t quarter = std::bit_cast<std::uint64_t>(shifted);
  const double turns = shifted - to_whole;
  const double r = ((x - turns * half_pi_head) - turns * half_pi_middle) - turns * half_pi_tail;
  const double square = r * r;
  const double sine = short_sine(r, square), cosine = short_cosine(square);
  const std::uint64_t odd = -(quarter & 1);
  const std::uint64_t s = std::bit_cast<std::uint64_t>(sine), c = std::bit_cast<std::uint64_t>(cosine);
  const std::uint64_t swap = (s ^ c) & odd;
  return {with_sign_bit(std::bit_cast<double>(c ^ swap), ((quarter >> 1) ^ quarter) & 1),
          with_sign_bit(std::bit_cast<double>(s ^ swap), (quarter >> 1) & 1)};
}

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

double folded(const Lanes& x) { return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7])); }

[[gnu::always_inline]] inline std::complex<double> quick_loop(const double* __restrict weights,
                                                              const double* __restrict offsets, std::size_t count,
                                                              double t) {
  Compensated real, imaginary;
  for (std::size_t start = 0; start < count; start += block) {
    const std::size_t size = std::min(block, count - start), whole = size / lanes * lanes;
    Lanes cosines{}, sines{};
    for (std::size_t i = start; i < start + whole; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Wave wave = quick_wave(t * offsets[i + lane]);
        cosines[lane] += weights[i + lane] * wave.cosine;
        sines[lane] += weights[i + lane] * wave.sine;
      }
    }
    for (std::size_t i = start + whole; i < start + size; ++i) {
      const Wave wave = quick_wave(t * offsets[i]);
      cosines[i - start - whole] += weights[i] * wave.cosine;
      sines[i - start - whole] += weights[i] * wave.sine;
    }
    real.add(folded(cosines));
    imaginary.add(folded(sines));
  }
  return {real.sum + real.rest, imaginary.sum + imaginary.rest};
}

using Loop = std::complex<double> (*)(const double*, const double*, std::size_t, double);

std::complex<double> baseline(const double* weights, const double* offsets, std::size_t count, double t) {
  return quick_loop(weights, offsets, count, t);
}

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) std::complex<double> avx2(const double* weights, const double* offsets,
                                                              std::size_t count, double t) {
  return quick_loop(weights, offsets, count, t);
}
__attribute__((target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512"))) std::complex<double> avx512(
    const double* weights, const double* offsets, std::size_t count, double t) {
  return quick_loop(weights, offsets, count, t);
}
#endif

Loop loop_for(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512;
  if (isa == Isa::avx2) return avx2;
#endif
  static_cast<void>(isa);
  return baseline;
}

std::complex<double> library_loop(const double* weights, const double* offsets, std::size_t count, double t) {
  Compensated real, imaginary;
  for (std::size_t i = 0; i < count; ++i) {
    const double phase = t * offsets[i];
    if (!std::isfinite(phase)) continue;  // a phase beyond all doubles: the caller's error bound is far above 1
    real.add(weights[i] * std::cos(phase));
    imaginary.add(weights[i] * std::sin(phase));
  }
  return {real.sum + real.rest, imaginary.sum + imaginary.rest};
}

}  // namespace

std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t, Isa isa) {
  if (!(t * greatest <= greatest_quick_phase)) return library_loop(weights, offsets, count, t);
  return loop_for(isa)(weights, offsets, count, t);
}

std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t) {
  static const Isa isa = noise::kernels::best_isa();
  return wave_sum(weights, offsets, count, greatest, t, isa);
}

}  // namespace vernier::accounting
