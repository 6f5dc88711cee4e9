#include <cmath>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/integer_laws.hpp"
#include "support/seeded_bits.hpp"
#include "vernier/interval/levels.hpp"
#include "vernier/interval/rows/additive.hpp"
#include "vernier/noise/integer_sampler.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::interval {
namespace {

using noise::Geometric;
using numeric::Ball;
using numeric::Precision;
using testing::law_at;

constexpr Precision fine{256};

double each(double together, std::int64_t cells, std::int64_t figures) {
  return each_of(*Alpha::of(together), cells, figures)->value();
}

// Whether k cells of g figures at this level hold together with probability 1 - alpha, for certain.
bool hold_together(double level, double alpha, std::int64_t cells, std::int64_t figures) {
  const Ball of_cell = Ball::of(level, fine) * Ball::of(figures, fine);
  const Ball all = power(Ball::of(1, fine) - of_cell, static_cast<unsigned long>(cells));
  return less(all, Ball::of(1, fine) - Ball::of(alpha, fine)) == false;
}

TEST(Simultaneous, IsTheExactProductRoundedDown) {
  for (const double alpha : {1e-12, 0.001, 0.05, 0.5, 0.999}) {
    for (const std::int64_t cells : {1, 2, 3, 10, 1000, 1'000'000}) {
      for (const std::int64_t figures : {1, 2, 7}) {
        const double level = each(alpha, cells, figures);
        EXPECT_TRUE(hold_together(level, alpha, cells, figures)) << alpha << " " << cells << " " << figures;
        EXPECT_FALSE(hold_together(level * (1 + 0x1p-44), alpha, cells, figures)) << alpha << " " << cells;
      }
    }
  }
}

TEST(Simultaneous, LeavesOneFigureItsLevel) { EXPECT_EQ(each(0.05, 1, 1), 0.05); }

TEST(Simultaneous, IsALittleMoreThanAnEvenShareOfCells) {
  EXPECT_NEAR(each(0.05, 10, 1), 0.0051161968918, 1e-12);
  EXPECT_GT(each(0.05, 10, 1), 0.005);
  EXPECT_EQ(each(0.05, 1, 4), 0.0125);
}

TEST(Simultaneous, RefusesWhatIsNoNumberOfCells) {
  EXPECT_FALSE(each_of(*Alpha::of(0.05), 0, 1));
  EXPECT_FALSE(each_of(*Alpha::of(0.05), 1, 0));
  EXPECT_FALSE(each_of(*Alpha::of(0.05), -3, 2));
  EXPECT_FALSE(each_of(*Alpha::of(0.05), 1, (std::int64_t{1} << 53) + 1));
  EXPECT_FALSE(each_of(*Alpha::of(1e-300), 2, 1));
}

// How often one of ten counts at least is further away than its accuracy at this level.
std::uint64_t tables_missed(double level, std::uint64_t tables) {
  const Geometric law = law_at<Geometric>(20);
  const std::int64_t accuracy = *additive_accuracy(law, *Alpha::of(level));
  auto source = vernier::testing::seeded_source(9);
  std::vector<std::int64_t> noise(10 * tables);
  EXPECT_TRUE(noise::IntegerSampler<Geometric>(law).fill(source, noise));
  std::uint64_t missed = 0;
  for (std::uint64_t i = 0; i < tables; ++i) {
    const auto first = noise.begin() + static_cast<std::ptrdiff_t>(10 * i);
    missed += std::any_of(first, first + 10, [&](std::int64_t x) { return std::abs(x) > accuracy; }) ? 1 : 0;
  }
  return missed;
}

TEST(Simultaneous, HoldsForATableOfCountsWhereTheLevelOfOneDoesNot) {
  constexpr std::uint64_t tables = 20'000;
  const auto allowed = vernier::testing::unsurprising_counts(tables, 0.05, 2 * vernier::testing::false_alarm);
  EXPECT_LE(tables_missed(each(0.05, 10, 1), tables), allowed.greatest);
  EXPECT_GT(tables_missed(0.05, tables), allowed.greatest);
}

}  // namespace
}  // namespace vernier::interval
