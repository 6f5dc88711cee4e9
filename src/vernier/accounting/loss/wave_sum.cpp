#include "vernier/accounting/loss/wave_sum.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/accounting/loss/quick.hpp"

// The sums are written in lanes, since the compiler may not reorder them by itself.
namespace vernier::accounting {
namespace {

using noise::kernels::Isa;
using quick::block;
using quick::Compensated;
using quick::folded;
using quick::lanes;
using quick::Lanes;
using quick::PerIsa;

struct Sums {
  Lanes cosines{}, sines{}, units{};
};

struct PlainTerms {
  const double* __restrict weights;
  const double* __restrict offsets;
  std::size_t count;

  [[gnu::always_inline]] void add(Sums& sums, std::size_t lane, std::size_t i, double t) const {
    const quick::Wave wave = quick::wave(t * offsets[i]);
    sums.cosines[lane] += weights[i] * wave.cosine;
    sums.sines[lane] += weights[i] * wave.sine;
  }

  double weight(std::size_t i, double) const { return weights[i]; }
  double phase(std::size_t i, double t) const { return t * offsets[i]; }
  static double units(std::size_t, double) { return 0; }
};

struct DampedTerms : DampedWaves {
  [[gnu::always_inline]] void add(Sums& sums, std::size_t lane, std::size_t i, double t) const {
    const double weight = weights[i] * quick::exp(-t * dampings[i]);
    const quick::Wave wave = quick::wave(phases[i] + t * offsets[i]);
    sums.cosines[lane] += weight * wave.cosine;
    sums.sines[lane] += weight * wave.sine;
    sums.units[lane] += weight * (DampedWaves::units[i] + t * units_a_turn[i]);
  }

  double weight(std::size_t i, double t) const { return weights[i] * std::exp(-t * dampings[i]); }
  double phase(std::size_t i, double t) const { return phases[i] + t * offsets[i]; }
  double units(std::size_t i, double t) const { return DampedWaves::units[i] + t * units_a_turn[i]; }
};

template <class Terms>
struct QuickLoop {
  [[gnu::always_inline]] static DampedSum run(const Terms& terms, double t) {
    Compensated real, imaginary;
    double units = 0;
    for (std::size_t start = 0; start < terms.count; start += block) {
      const std::size_t size = std::min(block, terms.count - start), whole = size / lanes * lanes;
      Sums sums;
      for (std::size_t i = start; i < start + whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) terms.add(sums, lane, i + lane, t);
      }
      for (std::size_t i = start + whole; i < start + size; ++i) terms.add(sums, i - start - whole, i, t);
      real.add(folded(sums.cosines));
      imaginary.add(folded(sums.sines));
      units += folded(sums.units);
    }
    return {real.sum + real.rest, imaginary.sum + imaginary.rest, units};
  }
};

template <class Terms>
DampedSum library_loop(const Terms& terms, double t) {
  Compensated real, imaginary;
  double units = 0;
  for (std::size_t i = 0; i < terms.count; ++i) {
    const double weight = terms.weight(i, t), phase = terms.phase(i, t);
    units += weight * terms.units(i, t);
    if (!std::isfinite(phase)) continue;  // beyond all doubles: the caller's error bound is then far above 1
    real.add(weight * std::cos(phase));
    imaginary.add(weight * std::sin(phase));
  }
  return {real.sum + real.rest, imaginary.sum + imaginary.rest, units};
}

template <class Terms>
DampedSum sum_of(const Terms& terms, double t, double greatest_phase, Isa isa) {
  if (!(greatest_phase <= quick::greatest_phase)) return library_loop(terms, t);
  return PerIsa<QuickLoop<Terms>>::run(isa, terms, t);
}

}  // namespace

std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t, Isa isa) {
  const DampedSum sum = sum_of(PlainTerms{weights, offsets, count}, t, t * greatest, isa);
  return {sum.real, sum.imaginary};
}

std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t) {
  return wave_sum(weights, offsets, count, greatest, t, noise::kernels::best_isa());
}

DampedSum damped_wave_sum(const DampedWaves& waves, double t, Isa isa) {
  return sum_of(DampedTerms{waves}, t, waves.greatest_phase, isa);
}

DampedSum damped_wave_sum(const DampedWaves& waves, double t) {
  return damped_wave_sum(waves, t, noise::kernels::best_isa());
}

}  // namespace vernier::accounting
