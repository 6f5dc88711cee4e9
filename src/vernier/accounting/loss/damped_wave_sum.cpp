#include "vernier/accounting/loss/damped_wave_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accounting/loss/quick_exponential.hpp"
#include "vernier/accounting/loss/quick_wave.hpp"

// One source for all instruction sets, as in wave_sum.cpp.
namespace vernier::accounting {
namespace {

using noise::kernels::Isa;
using quick::block;
using quick::Compensated;
using quick::folded;
using quick::lanes;
using quick::Lanes;

struct Sums {
  Lanes cosines{}, sines{}, units{};
};

[[gnu::always_inline]] inline void add_wave(Sums& sums, std::size_t lane, const DampedWaves& waves, std::size_t i,
                                            double t) {
  const double weight = waves.weights[i] * quick::exp(-t * waves.dampings[i]);
  const quick::Wave wave = quick::wave(waves.phases[i] + t * waves.offsets[i]);
  sums.cosines[lane] += weight * wave.cosine;
  sums.sines[lane] += weight * wave.sine;
  sums.units[lane] += weight * (waves.units[i] + t * waves.units_a_turn[i]);
}

[[gnu::always_inline]] inline DampedSum quick_loop(const DampedWaves& waves, double t) {
  Compensated real, imaginary;
  double units = 0;
  for (std::size_t start = 0; start < waves.count; start += block) {
    const std::size_t size = std::min(block, waves.count - start), whole = size / lanes * lanes;
    Sums sums;
    for (std::size_t i = start; i < start + whole; i += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) add_wave(sums, lane, waves, i + lane, t);
    }
    for (std::size_t i = start + whole; i < start + size; ++i) add_wave(sums, i - start - whole, waves, i, t);
    real.add(folded(sums.cosines));
    imaginary.add(folded(sums.sines));
    units += folded(sums.units);
  }
  return {real.sum + real.rest, imaginary.sum + imaginary.rest, units};
}

using Loop = DampedSum (*)(const DampedWaves&, double);

DampedSum baseline(const DampedWaves& waves, double t) { return quick_loop(waves, t); }

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) DampedSum avx2(const DampedWaves& waves, double t) { return quick_loop(waves, t); }
__attribute__((target("avx512f,avx512dq,avx512vl,fma,prefer-vector-width=512"))) DampedSum avx512(
    const DampedWaves& waves, double t) {
  return quick_loop(waves, t);
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

DampedSum library_loop(const DampedWaves& waves, double t) {
  Compensated real, imaginary;
  double units = 0;
  for (std::size_t i = 0; i < waves.count; ++i) {
    const double weight = waves.weights[i] * std::exp(-t * waves.dampings[i]);
    const double phase = waves.phases[i] + t * waves.offsets[i];
    units += weight * (waves.units[i] + t * waves.units_a_turn[i]);
    if (!std::isfinite(phase)) continue;  // a phase beyond all doubles: the units are then beyond all use
    real.add(weight * std::cos(phase));
    imaginary.add(weight * std::sin(phase));
  }
  return {real.sum + real.rest, imaginary.sum + imaginary.rest, units};
}

}  // namespace

DampedSum damped_wave_sum(const DampedWaves& waves, double t, Isa isa) {
  if (!(waves.greatest_phase <= quick::greatest_phase)) return library_loop(waves, t);
  return loop_for(isa)(waves, t);
}

DampedSum damped_wave_sum(const DampedWaves& waves, double t) {
  static const Isa isa = noise::kernels::best_isa();
  return damped_wave_sum(waves, t, isa);
}

}  // namespace vernier::accounting
