#include "vernier/interval/regression/many_noises.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

using Sizes = std::vector<double>;

// P[abs(S) > t] where all sizes differ: a mixture of exponentials.
double exact(const Sizes& sizes, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < sizes.size(); ++j) {
      if (j != i) weight *= sizes[i] * sizes[i] / (sizes[i] * sizes[i] - sizes[j] * sizes[j]);
    }
    sum += weight * std::exp(-t / sizes[i]);
  }
  return sum;
}

void expect_near_above(const Sizes& sizes, double level, const auto& truth) {
  const LaplaceTail tail(sizes, level);
  for (double t = 0.02 * tail.far(); t < tail.far(); t += 0.07 * tail.far()) {
    const double told = tail.outside(t);
    EXPECT_GE(told, truth(t)) << t;
    EXPECT_LE(told, truth(t) + level / 32) << t;
  }
}

TEST(LaplaceTail, IsThatOfSumsWhoseLawIsKnown) {
  for (const double level : {0.05, 0.0025, 1e-5}) {
    expect_near_above({1, 1}, level, [](double t) { return (1 + t / 2) * std::exp(-t); });
    expect_near_above({3, 2, 1}, level, [](double t) { return exact({3, 2, 1}, t); });
    expect_near_above({4, 3.5, 2.7, 2, 1.4, 0.8, 0.5}, level, [](double t) {
      return exact({4, 3.5, 2.7, 2, 1.4, 0.8, 0.5}, t);
    });
  }
}

// One size far above the others has a slowly falling characteristic function.
TEST(LaplaceTail, IsNeverBelowWhereOneSizeRules) {
  const LaplaceTail tail(Sizes{1, 1e-3, 1e-9}, 0.05);
  for (double t = 0.1; t < tail.far(); t += 0.3) EXPECT_GE(tail.outside(t), std::exp(-t));
}

TEST(ManyNoises, ReachesAsFarAsItsLevelSays) {
  const Alpha alpha = *Alpha::of(0.05);
  const Sizes sizes(27, 1.0);
  const ManyNoises laplace = ManyNoises::of({false, 1 << 20}, 1 << 20, alpha);
  const ManyNoises normal = ManyNoises::of({true, 1 << 20}, 1 << 20, alpha);
  EXPECT_NEAR(laplace.reach(sizes), 14.4, 0.3);  // about 1.96 deviations of sqrt(54)
  EXPECT_NEAR(normal.reach(sizes), 1.96 * std::sqrt(27), 0.01);
  for (const ManyNoises& one : {laplace, normal}) {
    const double reach = one.reach(sizes);
    EXPECT_TRUE(one.rarely_reaches(sizes, reach * 1.001));
    EXPECT_FALSE(one.rarely_reaches(sizes, reach * 0.98));
    EXPECT_GE(one.quick_reach(sizes), reach * 0.999);
    EXPECT_LE(one.quick_reach(sizes), reach * 1.6);
  }
}

TEST(ManyNoises, GrowsWithEverySizeAndInProportion) {
  const ManyNoises laplace = ManyNoises::of({false, 1 << 20}, 1 << 20, *Alpha::of(0.01));
  const Sizes sizes{1, 2, 0.5, 3, 0, 1.5};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    Sizes larger = sizes;
    larger[i] += 0.4;
    EXPECT_GT(laplace.quick_reach(larger), laplace.quick_reach(sizes));
    EXPECT_GT(laplace.reach(larger), laplace.reach(sizes));
  }
  Sizes twice = sizes;
  for (double& size : twice) size *= 2;
  EXPECT_NEAR(laplace.quick_reach(twice), 2 * laplace.quick_reach(sizes), 1e-4);
}

}  // namespace
}  // namespace vernier::interval
