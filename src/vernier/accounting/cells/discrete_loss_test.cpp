#include "vernier/accounting/cells/discrete_loss.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"

namespace vernier::accounting::cells {
namespace {

// Atoms of every size, some of them in clusters.
DiscreteLoss random_law(test::Parameters& any, int count) {
  DiscreteLoss law;
  double loss = any.uniform(-2, 0), sum = 0;
  for (int i = 0; i < count; ++i) {
    loss += any.log_uniform(1e-6, 0.1);
    law.losses.push_back(loss);
    law.masses.push_back(any.log_uniform(1e-9, 1));
    sum += law.masses.back();
  }
  for (double& mass : law.masses) mass /= sum;
  return law;
}

// Every pair of atoms, in long doubles.
long double plain_delta(const DiscreteLoss& a, const DiscreteLoss& b, double epsilon) {
  long double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      const long double loss = static_cast<long double>(a.losses[i]) + b.losses[j];
      if (loss > epsilon) sum -= a.masses[i] * static_cast<long double>(b.masses[j]) * std::expm1(epsilon - loss);
    }
  }
  return sum;
}

double delta_of(const DiscreteLoss& law, double epsilon, End end) {
  return PairCurve(law, {{0}, {1}, 0}, end)(epsilon);
}

TEST(DiscreteLoss, PairsAreOnTheirSideAndClose) {
  test::Parameters any(31);
  for (int i = 0; i < 20; ++i) {
    const DiscreteLoss a = random_law(any, 40), b = random_law(any, 30);
    for (const double epsilon : {-1.0, 0.0, 0.3, 1.0}) {
      const long double exact = plain_delta(a, b, epsilon);
      EXPECT_GE(PairCurve(a, b, End::upper)(epsilon), exact * (1 - 1e-18L));
      EXPECT_LE(PairCurve(a, b, End::lower)(epsilon), exact * (1 + 1e-18L));
      EXPECT_NEAR(PairCurve(a, b, End::upper)(epsilon), static_cast<double>(exact), 1e-10 * static_cast<double>(exact));
    }
  }
}

// Reduced and composed laws stay on their side at every epsilon, and come near the exact one about the aim.
TEST(DiscreteLoss, ReducedAndComposedStayOnTheirSide) {
  test::Parameters any(32);
  for (int i = 0; i < 20; ++i) {
    const DiscreteLoss a = random_law(any, 300), b = random_law(any, 200), one{{0}, {1}, 0};
    const Aim aim{any.log_uniform(0.1, 20), 1, 150};
    for (const double epsilon : {-1.0, 0.0, 0.5, 1.0, 3.0}) {
      const double alone = static_cast<double>(plain_delta(a, one, epsilon)),
                   both = static_cast<double>(plain_delta(a, b, epsilon));
      EXPECT_GE(delta_of(reduced(a, aim, End::upper), epsilon, End::upper), alone);
      EXPECT_LE(delta_of(reduced(a, aim, End::lower), epsilon, End::lower), alone);
      EXPECT_GE(delta_of(composed(a, b, aim, End::upper), epsilon, End::upper), both);
      EXPECT_LE(delta_of(composed(a, b, aim, End::lower), epsilon, End::lower), both);
    }
    const double at = static_cast<double>(plain_delta(a, b, 1));
    EXPECT_LE(delta_of(composed(a, b, aim, End::upper), 1, End::upper), 1.05 * at);
    EXPECT_GE(delta_of(composed(a, b, aim, End::lower), 1, End::lower), at / 1.05);
  }
}

TEST(DiscreteLoss, InfiniteMassesCompose) {
  const DiscreteLoss a{{0}, {0.75}, 0.25}, b{{1}, {0.5}, 0.5};
  EXPECT_EQ(composed(a, b, {1, 1, 100}, End::upper).infinite, 0.625);
  EXPECT_EQ(composed(a, b, {1, 1, 100}, End::lower).infinite, 0.625);
}

}  // namespace
}  // namespace vernier::accounting::cells
