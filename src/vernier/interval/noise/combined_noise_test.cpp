#include "vernier/interval/noise/combined_noise.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/laplace.hpp"

namespace vernier::interval {
namespace {

noise::Geometric geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
noise::DiscreteGaussian gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// Partial fractions of the characteristic function, which serve where the scales are well apart.
double by_partial_fractions(const std::array<double, 3>& b, double t) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    double weight = 1;
    for (std::size_t j = 0; j < 3; ++j) {
      if (j != i) weight *= b[i] * b[i] / (b[i] * b[i] - b[j] * b[j]);
    }
    sum += weight * std::exp(-t / b[i]);
  }
  return sum;
}

TEST(CombinedNoise, HasTheTailOfThreeLaplaceDraws) {
  test::Parameters any(61);
  for (int i = 0; i < 2000; ++i) {
    const double b = any.uniform(0.01, 1), d = b * any.uniform(0.2, 0.8), e = d * any.uniform(0.2, 0.8);
    const double t = any.uniform(0, 20) * b;
    const double exact = by_partial_fractions({b, d, e}, t);
    EXPECT_NEAR(laplace_combination_outside({d, b, e}, t) / exact, 1, 1e-10) << b << " " << d << " " << e << " " << t;
  }
}

TEST(CombinedNoise, IsRightWhereLaplaceDrawsHaveTheSameScale) {
  for (const double t : {0.0, 0.5, 3.0, 40.0}) {
    EXPECT_NEAR(laplace_combination_outside({1, 1, 0}, t) / ((1 + t / 2) * std::exp(-t)), 1, 1e-11);
    EXPECT_NEAR(laplace_combination_outside({1, 1 - 1e-9, 0}, t) / ((1 + t / 2) * std::exp(-t)), 1, 1e-7);
    EXPECT_NEAR(laplace_combination_outside({1, 0, 0}, t) / std::exp(-t), 1, 1e-11);
    // Three of the same scale count as if one were a fifth larger.
    const double three = (1 + 5 * t / 8 + t * t / 8) * std::exp(-t);
    EXPECT_GE(laplace_combination_outside({1, 1, 1}, t), three);
    EXPECT_LE(laplace_combination_outside({1, 1, 1}, t), laplace_combination_outside({1.2, 1, 0.99}, t) * 1.1);
  }
}

TEST(CombinedNoise, HasATailThatGrowsWithEveryCoefficient) {
  test::Parameters any(62);
  for (int i = 0; i < 2000; ++i) {
    Coefficients c{any.uniform(0.6, 1), any.uniform(0, 0.6), any.uniform(0, 0.3)};
    const double t = any.log_uniform(0.01, 10);
    const double before = laplace_combination_outside(c, t), normal = normal_combination_outside(c, t);
    c[static_cast<std::size_t>(i % 3)] *= 1.05;
    EXPECT_GE(laplace_combination_outside(c, t), before * (1 - 1e-10));
    EXPECT_GE(normal_combination_outside(c, t), normal * (1 - 1e-10));
  }
}

// P[abs(aX + bY) >= t] by summing over both, for real.
template <class Law>
double by_double_sum(const Law& law, double a, double b, double t) {
  const auto reach = static_cast<std::int64_t>(40 * law.scale()) + 5;
  std::vector<double> masses;
  for (std::int64_t x = 0; x <= reach; ++x) masses.push_back(law.mass(x).lower);
  double sum = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    const double mass = masses[static_cast<std::size_t>(std::abs(x))];
    for (std::int64_t y = -reach; y <= reach; ++y) {
      const double w = a * static_cast<double>(x) + b * static_cast<double>(y);
      if (std::abs(w) >= t + 1e-8) sum += mass * masses[static_cast<std::size_t>(std::abs(y))];
    }
  }
  return sum;
}

template <class Law>
void expect_never_optimistic(const Law& law, Alpha alpha, bool is_fine) {
  const CombinedNoise<Law> noise = CombinedNoise<Law>::of(law, alpha, is_fine ? 3 : 2);
  ASSERT_EQ(noise.is_enumerated(), !is_fine);
  for (const double r : {0.0, 0.1, 0.37, 0.5, 0.75, 1.0}) {
    double t = 0;  // the least that is certain
    while (!noise.rarely_reaches({{r, 1 - r, 0}, {r, 1 - r, 0}}, t)) t += 0.05 * law.scale();
    const double exact = by_double_sum(law, r, 1 - r, t);
    EXPECT_LE(exact, alpha.value()) << "scale " << law.scale() << " r " << r;
    // A little earlier it would have been wrong to be certain: by the sum always, by the reals but for one step.
    const double earlier = t - 0.0501 * law.scale() - (is_fine ? 2 : 0);
    EXPECT_GE(by_double_sum(law, r, 1 - r, earlier), alpha.value() * 0.999) << "scale " << law.scale() << " r " << r;
  }
}

TEST(CombinedNoise, IsNeverOptimisticAboutGeometricDraws) {
  for (const double scale : {0.4, 1.0, 2.5}) {
    for (const double alpha : {0.01, 0.05, 0.2}) {
      expect_never_optimistic(geometric(scale), *Alpha::of(alpha), false);
      expect_never_optimistic(geometric(scale), *Alpha::of(alpha), true);
    }
  }
  EXPECT_FALSE(HasFailure());
}

TEST(CombinedNoise, IsNeverOptimisticAboutDiscreteGaussianDraws) {
  for (const double scale : {0.2, 0.5, 1.0, 2.5}) {
    for (const double alpha : {0.01, 0.05, 0.2}) {
      expect_never_optimistic(gaussian(scale), *Alpha::of(alpha), false);
      expect_never_optimistic(gaussian(scale), *Alpha::of(alpha), true);
    }
  }
  EXPECT_FALSE(HasFailure());
}

// P[Y >= m] <= P[X >= m] <= P[Y >= m - 1], Y the law over the reals, for every m >= 1: what makes one step enough.
TEST(CombinedNoise, HasDrawsWithinOneStepOfTheReals) {
  for (const double scale : {1e-1, 0.3, 0.5, 1.0, 2.0, 7.0, 50.0}) {
    const auto real_laplace = noise::Laplace::of(*LaplaceScale::of(scale));
    const auto real_gaussian = noise::Gaussian::of(*Sigma::of(scale));
    for (std::int64_t m = 1; m < static_cast<std::int64_t>(20 * scale) + 3; ++m) {
      const Real at = *Real::of(static_cast<double>(m)), before = *Real::of(static_cast<double>(m - 1));
      EXPECT_GE(geometric(scale).tail(m - 1).upper, real_laplace.tail(at).lower);
      EXPECT_LE(geometric(scale).tail(m - 1).lower, real_laplace.tail(before).upper);
      EXPECT_GE(gaussian(scale).tail(m - 1).upper, real_gaussian.tail(at).lower);
      EXPECT_LE(gaussian(scale).tail(m - 1).lower, real_gaussian.tail(before).upper);
    }
  }
}

// Whatever is certain on a segment is certain at every point of it.
template <class Law>
void expect_certain_at_points(const CombinedNoise<Law>& noise, double least, double greatest) {
  test::Parameters any(63);
  int certain = 0;
  for (int i = 0; i < 2000; ++i) {
    const double r = any.uniform(0, 1), s = std::min(r + any.uniform(0, 0.1), 1.0), t = any.uniform(least, greatest);
    if (!noise.rarely_reaches({{r, 1 - r, 0}, {s, 1 - s, 0}}, t)) continue;
    ++certain;
    const double between = any.uniform(r, s);
    EXPECT_TRUE(noise.rarely_reaches({{between, 1 - between, 0}, {between, 1 - between, 0}}, t));
  }
  EXPECT_GT(certain, 300);
  EXPECT_LT(certain, 1800);
}

TEST(CombinedNoise, IsCertainOnASegmentOnlyIfItIsAtItsPoints) {
  const Alpha alpha = *Alpha::of(0.05);
  expect_certain_at_points(CombinedNoise<noise::Geometric>::of(geometric(3), alpha, 2), 5, 15);
  expect_certain_at_points(CombinedNoise<noise::DiscreteGaussian>::of(gaussian(3), alpha, 2), 3, 8);
  expect_certain_at_points(CombinedNoise<noise::Geometric>::of(geometric(1e6), alpha, 3), 1.7e6, 5e6);
  expect_certain_at_points(CombinedNoise<noise::DiscreteGaussian>::of(gaussian(1e6), alpha, 3), 1e6, 2.7e6);
  EXPECT_FALSE(HasFailure());
}

// The least t that is certain, but for one part in a million.
TEST(CombinedNoise, ReachesWhereItBecomesCertain) {
  const auto expect_reach = [](const auto& noise, const Coefficients& c) {
    const double reach = noise.reach(c);
    EXPECT_TRUE(noise.rarely_reaches({c, c}, reach));
    EXPECT_FALSE(noise.rarely_reaches({c, c}, reach * (1 - 3e-6)));
  };
  for (const Coefficients& c : {Coefficients{1, 0, 0}, Coefficients{1, 1, 1}, Coefficients{0.3, -1, 0.2}}) {
    expect_reach(CombinedNoise<noise::Geometric>::of(geometric(1e6), *Alpha::of(0.05), 3), c);
    expect_reach(CombinedNoise<noise::DiscreteGaussian>::of(gaussian(1e6), *Alpha::of(0.001), 3), c);
  }
  const auto normal = CombinedNoise<noise::DiscreteGaussian>::of(gaussian(1e9), *Alpha::of(0.05), 3);
  EXPECT_NEAR(normal.reach({1, 1, 1}) / 1e9, 1.959964 * std::sqrt(3), 1e-5);
}

TEST(CombinedNoise, IsNeverCertainAboutNothing) {
  const auto noise = CombinedNoise<noise::DiscreteGaussian>::of(gaussian(1e6), *Alpha::of(0.999), 2);
  EXPECT_FALSE(noise.is_enumerated());
  for (const double t : {0.0, -1.0}) EXPECT_FALSE(noise.rarely_reaches({{0, 1, 0}, {0, 1, 0}}, t));
  EXPECT_TRUE(noise.rarely_reaches({{0, 1, 0}, {0, 1, 0}}, 1e8));
}

}  // namespace
}  // namespace vernier::interval
