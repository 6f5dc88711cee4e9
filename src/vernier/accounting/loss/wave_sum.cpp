#include "vernier/accounting/loss/wave_sum.hpp"

#include <algorithm>
#include <cmath>

// One source for all instruction sets, as in noise/kernels.cpp: the loop is inlined into a function per set, and the
// compiler vectorises each for its own. The sums are written in lanes, since it may not reorder them by itself.
namespace vernier::accounting {
namespace {

using noise::kernels::Isa;

using quick::block;
using quick::Compensated;
using quick::folded;
using quick::lanes;
using quick::Lanes;

[[gnu::always_inline]] inline std::complex<double> quick_loop(const double* __restrict weights,
                                                              const double* __restrict offsets, std::size_t count,
                                                              double t) {
  Compensated real, imaginary;
  for (std::size_t start = 0; start < count; start += block) {
    const std::size_t size = std::min(block, count - start), whole = size / lanes * lanes;
    Lanes cosines{}, sines{};
    for (std::size_t i = start; i < start + whole; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const quick::Wave wave = quick::wave(t * offsets[i + lane]);
        cosines[lane] += weights[i + lane] * wave.cosine;
        sines[lane] += weights[i + lane] * wave.sine;
      }
    }
    for (std::size_t i = start + whole; i < start + size; ++i) {
      const quick::Wave wave = quick::wave(t * offsets[i]);
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
