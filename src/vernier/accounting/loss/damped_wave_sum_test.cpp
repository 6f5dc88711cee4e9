#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "support/complex_ball.hpp"
#include "support/parameters.hpp"
#include "vernier/accounting/loss/wave_sum.hpp"

namespace vernier::accounting {
namespace {

using noise::kernels::Isa;
using test::ComplexBall;

struct Waves {
  std::vector<double> weights, dampings, phases, offsets, units, units_a_turn;
};

Waves some_waves(test::Parameters& any, std::size_t count, double t, double greatest_phase) {
  Waves result;
  for (std::size_t i = 0; i < count; ++i) {
    result.weights.push_back(any.log_uniform(1e-20, 3));
    result.dampings.push_back(any.log_uniform(1e-3, 60) / t);
    result.phases.push_back((i % 2 == 0 ? 1 : -1) * any.log_uniform(0.01, 30));
    result.offsets.push_back((i % 3 == 0 ? 1 : -1) * any.log_uniform(1e-6, 0.9) * greatest_phase / t);
    result.units.push_back(any.log_uniform(1, 100));
    result.units_a_turn.push_back(any.log_uniform(1, 100) / t);
  }
  return result;
}

void expect_within_its_error(const Waves& all, double t, double greatest_phase, Isa isa) {
  const std::size_t count = all.weights.size();
  const DampedSum sum = damped_wave_sum({all.weights.data(), all.dampings.data(), all.phases.data(), all.offsets.data(),
                                         all.units.data(), all.units_a_turn.data(), count, greatest_phase + 40},
                                        t, isa);
  ComplexBall exact;
  double allowed = 0, units = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const ComplexBall exponent =
        ComplexBall(0, all.phases[i]) + ComplexBall(t) * ComplexBall(-all.dampings[i], all.offsets[i]);
    exact = exact + ComplexBall(all.weights[i]) * exp(exponent);
    const double damped = all.weights[i] * std::exp(-t * all.dampings[i]);
    const double moved = t * (all.dampings[i] + std::abs(all.offsets[i])) + std::abs(all.phases[i]);
    allowed += damped * (30 + 2 * moved);
    units += damped * (all.units[i] + t * all.units_a_turn[i]);
  }
  EXPECT_LE((exact - ComplexBall(sum.real, sum.imaginary)).size(), allowed * 0x1p-53);
  EXPECT_NEAR(sum.units, units, 1e-12 * units);
}

TEST(DampedWaveSum, KeepsItsErrorBoundOnEveryInstructionSet) {
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    if (!noise::kernels::supported(isa)) continue;
    test::Parameters any(70);
    for (const std::size_t count : {1, 7, 8, 63, 64, 65, 200}) {
      for (const double t : {1e-3, 1.0, 1e9}) {
        for (const double greatest : {1.0, 1e3, 9e5, 1e8}) {
          expect_within_its_error(some_waves(any, count, t, greatest), t, greatest, isa);
        }
      }
    }
  }
}

TEST(DampedWaveSum, IsNeverNaN) {
  Waves one{{1}, {0}, {0}, {1e300}, {1}, {1}};
  const DampedSum sum =
      damped_wave_sum({one.weights.data(), one.dampings.data(), one.phases.data(), one.offsets.data(), one.units.data(),
                       one.units_a_turn.data(), 1, std::numeric_limits<double>::infinity()},
                      1e12);
  EXPECT_FALSE(std::isnan(sum.real));
  EXPECT_GE(sum.units, 1e12);
}

}  // namespace
}  // namespace vernier::accounting
