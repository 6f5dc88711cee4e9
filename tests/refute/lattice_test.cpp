#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "refute/textbook.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/noise/grid_noise.hpp"

// The attacks on the low bits of noisy numbers: N1 porosity (Mironov 2012), N2 the same on Gaussian noise (Jin and
// others 2021), N3 precision (Haney and others 2022). Each must find nothing in Vernier, and must find the textbook's
// way.
namespace vernier {
namespace {

using testing::SeededBits;

constexpr std::size_t size = 1'000'000;
constexpr double answers[] = {0, 1, 0x1p40, -1.0 / 3};

std::vector<double> released(const auto& noise, double answer, std::uint64_t seed) {
  const auto range = noise::ValueRange::of(Real::of(-0x1p40).value(), Real::of(0x1p40).value()).value();
  std::vector<double> out(size, answer);
  auto source = testing::seeded_source(seed);
  EXPECT_TRUE(noise.perturb(source, range, std::vector<double>(out), out));
  return out;
}

// How many outputs of the textbook could not have come from the other answer: those for which no uniform double near
// the preimage gives exactly this output. Rounding is monotone, so a few neighbours decide it.
bool textbook_reaches(double output, double answer) {
  const double noise = output - answer;
  const double u = std::copysign(0.5 * -std::expm1(-std::fabs(noise)), noise);
  const double step = 0x1p-53;
  const double near = std::round(u / step) * step;
  for (int k = -40; k <= 40; ++k) {
    const double candidate = near + k * step;
    const double sample = (candidate < 0 ? 1.0 : -1.0) * std::log(1 - 2 * std::fabs(candidate));
    if (testing::float_sum(answer, sample) == output) return true;
  }
  return false;
}

std::size_t impossible_under_other_answer(double answer, double other) {
  SeededBits bits(3);
  std::size_t impossible = 0;
  for (std::size_t i = 0; i < size / 100; ++i) {
    const double output = testing::float_sum(answer, testing::textbook_laplace(bits, 1));
    impossible += textbook_reaches(output, other) ? 0 : 1;
  }
  return impossible;
}

TEST(Lattice, PorosityAttackCatchesTheTextbook) {
  EXPECT_GT(impossible_under_other_answer(0, 1), size / 100 / 2);
  EXPECT_EQ(impossible_under_other_answer(0, 0), 0u);  // the attack accuses nobody falsely
}

std::size_t off_grid(const std::vector<double>& outputs, double granularity) {
  const auto is_off = [&](double x) {
    return x / granularity != std::floor(x / granularity);
  };  // the quotient is exact
  return static_cast<std::size_t>(std::ranges::count_if(outputs, is_off));
}

// Every output is a whole number of units, and the units of one answer are units of every other: an output tells
// nothing.
TEST(Lattice, OutputsOfAllAnswersShareOneLattice) {
  const auto check = [](const auto& noise) {
    for (const double answer : answers) EXPECT_EQ(off_grid(released(noise, answer, 4), noise.grid().granularity()), 0u);
  };
  for (const double scale : {1.0, 20.3, 1000.0}) {
    check(noise::on_grid(noise::Laplace::of(LaplaceScale::of(scale).value())));
    check(noise::on_grid(noise::Gaussian::of(Sigma::of(scale).value())));
  }
}

// The share of outputs that are whole multiples of 2^-53 tells a float sum from 1 from a float sum from 0.
TEST(Lattice, PrecisionAttackCatchesFloatSums) {
  SeededBits bits(5);
  std::vector<double> from_zero, from_one;
  for (std::size_t i = 0; i < size / 10; ++i) {
    from_zero.push_back(testing::float_sum(0, testing::textbook_laplace(bits, 1)));
    from_one.push_back(testing::float_sum(1, testing::textbook_laplace(bits, 1)));
  }
  EXPECT_GT(off_grid(from_zero, 0x1p-53), size / 100);
  EXPECT_LT(off_grid(from_one, 0x1p-53), off_grid(from_zero, 0x1p-53) / 2);
}

// Outputs near each other from different answers fall on the same points: every point that 0 reaches near its centre is
// reached from 1 as well, with the noise that is one answer less.
TEST(Lattice, EveryOutputOfOneAnswerIsPossibleUnderTheOther) {
  const auto noise = noise::on_grid(noise::Laplace::of(LaplaceScale::of(1).value()));
  const auto& grid = noise.grid();
  std::size_t impossible = 0;
  for (const double output : released(noise, 0, 6)) {
    const double units = (output - 1) / grid.granularity();  // exact: both are multiples of the granularity below 2^53
    const bool possible =
        units == std::floor(units) && noise.units_law().mass(static_cast<std::int64_t>(units)).upper > 0;
    impossible += possible ? 0 : 1;
  }
  EXPECT_EQ(impossible, 0u);
}

}  // namespace
}  // namespace vernier
