#include "vernier/numeric/crossing.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::numeric {
namespace {

constexpr CrossingTolerance tolerance{.relative = 1e-14, .absolute = 0, .excess = 0};

// A function with its two ends, and how often it was asked.
template <class Function>
double crossing_of(const Function& excess, double left, double right, int& evaluations) {
  const auto counted = [&](double x) {
    ++evaluations;
    return excess(x);
  };
  return approximate_crossing(counted, {left, excess(left)}, {right, excess(right)}, tolerance);
}

TEST(Crossing, IsFoundInFewStepsWhereTheFunctionIsSmooth) {
  test::Parameters any(51);
  for (int i = 0; i < 200; ++i) {
    const double root = any.log_uniform(1e-6, 1e3);
    int evaluations = 0;
    const double x = crossing_of([&](double at) { return std::log(root) - std::log(at); }, 1e-7, 1e4, evaluations);
    EXPECT_NEAR(x / root, 1, 1e-13);
    EXPECT_LE(evaluations, 60);
  }
}

TEST(Crossing, IsFoundAtACliff) {
  test::Parameters any(52);
  for (int i = 0; i < 200; ++i) {
    const double root = any.uniform(1, 2);
    int evaluations = 0;
    const double x = crossing_of([&](double at) { return at < root ? 1e-9 : -1e9; }, 1, 2, evaluations);
    EXPECT_NEAR(x / root, 1, 2e-14);
    EXPECT_LE(evaluations, 300);
  }
}

TEST(Crossing, IsCertifiedFromBothSidesWhereverTheGuessLies) {
  test::Parameters any(53);
  for (int i = 0; i < 500; ++i) {
    const double root = any.log_uniform(1e-9, 1e9);
    const auto holds = [&](double x) { return x >= root; };
    const double guess = root * (1 + (i % 2 == 0 ? -1 : 1) * any.log_uniform(1e-17, 0.4));
    const Bracket bracket = certified_crossing(holds, {0, 1e10}, i % 50 == 0 ? 1e-12 : guess, 0x1p-41);
    EXPECT_LT(bracket.no, root);
    EXPECT_GE(bracket.yes, root);
    EXPECT_LE(bracket.yes - bracket.no, 0x1p-41 * bracket.yes);
  }
}

TEST(Crossing, AsksLittleAboutAGoodGuess) {
  int asked = 0;
  const auto holds = [&](double x) {
    ++asked;
    return x >= 3;
  };
  const Bracket bracket = certified_crossing(holds, {0, 10}, 3 * (1 + 1e-15), 0x1p-41);
  EXPECT_EQ(asked, 2);
  EXPECT_LT(bracket.no, 3);
  EXPECT_GE(bracket.yes, 3);
}

// Known ends are believed: a predicate that never changes gives one of them back.
TEST(Crossing, StaysWithinTheKnownEnds) {
  const Bracket never = certified_crossing([](double) { return false; }, {1, 4}, 3, 1e-12);
  EXPECT_EQ(never.yes, 4);
  EXPECT_LT(never.no, 4);
  const Bracket always = certified_crossing([](double) { return true; }, {1, 4}, 3, 1e-12);
  EXPECT_EQ(always.no, 1);
  EXPECT_GT(always.yes, 1);
}

}  // namespace
}  // namespace vernier::numeric
