#include "vernier/accounting/loss/wave_sum.hpp"

#include <cmath>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "support/exact_mixture.hpp"
#include "support/parameters.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using noise::kernels::Isa;
using numeric::Ball;

constexpr numeric::Precision fine{256};

struct Waves {
  std::vector<double> weights;
  std::vector<double> offsets;
  double greatest = 0;
  void add(double weight, double offset) {
    weights.push_back(weight);
    offsets.push_back(offset);
    greatest = std::max(greatest, std::abs(offset));
  }
  std::complex<double> sum(double t, Isa isa) const {
    return wave_sum(weights.data(), offsets.data(), weights.size(), greatest, t, isa);
  }
};

// abs(value - exact) in units of the bound that is promised.
double share_of_bound(const Waves& waves, double t, std::complex<double> value) {
  Ball real = Ball::of(-value.real(), fine), imaginary = Ball::of(-value.imag(), fine);
  double bound = 0;
  for (std::size_t i = 0; i < waves.weights.size(); ++i) {
    const Ball phase = Ball::of(t, fine) * Ball::of(waves.offsets[i], fine), weight = Ball::of(waves.weights[i], fine);
    arb_t s, c;
    arb_init(s);
    arb_init(c);
    arb_sin_cos(s, c, phase.raw(), fine.bits);
    real = real + weight * Ball::from_raw(c, fine);
    imaginary = imaginary + weight * Ball::from_raw(s, fine);
    arb_clear(s);
    arb_clear(c);
    bound += waves.weights[i] * (wave_units + t * std::abs(waves.offsets[i]));
  }
  return sqrt(real * real + imaginary * imaginary).bounds().upper / (numeric::unit_roundoff * bound);
}

void expect_within_bound(const Waves& waves, double t) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (!noise::kernels::supported(isa)) continue;
    EXPECT_LE(share_of_bound(waves, t, waves.sum(t, isa)), 1) << "t " << t << " set " << static_cast<int>(isa);
  }
}

TEST(WaveSum, KeepsItsErrorBoundOnEveryInstructionSet) {
  test::Parameters any(30);
  for (const std::size_t count : {1, 7, 8, 63, 64, 65, 200, 1000}) {
    Waves waves;
    while (waves.weights.size() < count) waves.add(any.log_uniform(1e-22, 1), any.uniform(-3, 3));
    for (const double t : {0.0, 0.1, 17.0, 3000.0, 3e5}) expect_within_bound(waves, t);
  }
}

TEST(WaveSum, IsRightForSinglePhasesToAFewUnits) {
  test::Parameters any(31);
  for (int i = 0; i < 3000; ++i) {
    const double quarter = std::floor(any.log_uniform(1, 6e5)) * std::numbers::pi / 2;
    const double phase = i % 2 == 0 ? any.log_uniform(1e-9, 1e6) : std::nextafter(quarter, i % 4 == 1 ? 0 : 1e9);
    Waves one;
    one.add(1, i % 3 == 0 ? -phase : phase);
    const double rounding = share_of_bound(one, 1, one.sum(1, noise::kernels::best_isa())) * (wave_units + phase);
    EXPECT_LE(rounding, 6) << phase;  // the phase itself is exact here
  }
}

TEST(WaveSum, GoesToTheLibraryForLargePhases) {
  Waves waves;
  waves.add(0.5, 1e7);
  waves.add(0.25, -12345678.9);
  expect_within_bound(waves, 1);
  expect_within_bound(waves, 1e9);
  EXPECT_TRUE(std::isfinite(waves.sum(1e305, Isa::baseline).real()));
}

}  // namespace
}  // namespace vernier::accounting
