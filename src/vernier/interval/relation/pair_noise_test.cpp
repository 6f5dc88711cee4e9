#include "vernier/interval/relation/pair_noise.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"

namespace vernier::interval {
namespace {

using noise::DiscreteGaussian;
using noise::Geometric;
using testing::law_at;

const Alpha level = *Alpha::of(0.05);

// P[abs(c . Y) > t] by inversion of the characteristic function; the trapezoids are exact but for tails beyond
// 2 pi / step - t.
double outside_by_inversion(const PairSizes& sizes, double t) {
  constexpr double step = 0.01;
  double inside = t * step / std::numbers::pi;
  for (double w = step; w < 400; w += step) {
    double transform = 1;
    for (const double b : sizes) transform /= 1 + b * b * w * w;
    inside += 2 / std::numbers::pi * std::sin(w * t) / w * transform * step;
  }
  return 1 - inside;
}

const std::vector<PairSizes> all_sizes = {{1, 1, 0, 0, 0, 0, 0, 0, 0},           {1, 0, 1, 0, 0, 0, 1, 0, 1},
                                          {1, 1, 1, 1, 1, 1, 1, 1, 1},           {2, 1, 0.5, 1, 1, 0.3, 0, 0.1, 1.5},
                                          {1, 0.999, 1.001, 0.5, 0, 0, 0, 0, 0}, {3, 1e-6, 1e-9, 1, 1, 1, 0, 2, 2.5}};

TEST(PairNodeNoise, KnowsTheTailOfSumsFromAboveAndHardlyBeyondIt) {
  EXPECT_NEAR(LaplaceMixture({2}, 1e-9).outside(3), std::exp(-1.5), 1e-12);
  for (const PairSizes& sizes : all_sizes) {
    const LaplaceMixture mixture(sizes, 1e-6);
    for (const double t : {0.5, 2.0, 5.0, 12.0}) {
      const double exact = outside_by_inversion(sizes, t), found = mixture.outside(t);
      EXPECT_GE(found, exact - 1e-5) << sizes[0] << " " << sizes[1] << " at " << t;
      EXPECT_LE(found, outside_by_inversion(sizes, t / 1.15) + 1e-4) << sizes[0] << " " << sizes[1] << " at " << t;
    }
  }
}

TEST(PairNodeNoise, ReachesFurtherWithEveryLargerCoefficient) {
  const PairNodeNoise noise = PairNodeNoise::of(pair_law(law_at<Geometric>(1000)), 1000, level);
  for (const PairSizes& sizes : all_sizes) {
    const double reach = noise.reach(sizes);
    EXPECT_TRUE(noise.rarely_reaches(sizes, reach * 1.001));
    EXPECT_FALSE(noise.rarely_reaches(sizes, reach * 0.95));
    for (std::size_t i = 0; i < pair_nodes; ++i) {
      PairSizes larger = sizes;
      larger[i] += 0.5;
      EXPECT_GT(noise.reach(larger), reach * 0.999) << i;
    }
  }
}

// P[abs(sum of nine) > t]: that one gamma variable of order 9 exceeds another one by t, term by term.
double outside_of_nine(double t) {
  double sum = 0;
  for (int m = 0; m < 9; ++m) {
    for (int k = 0; k <= m; ++k) {
      const double log_term = (m - k) * std::log(t) - std::lgamma(m - k + 1) - std::lgamma(k + 1) + std::lgamma(9 + k) -
                              std::lgamma(9) - (9 + k) * std::log(2.0);
      sum += std::exp(log_term - t);
    }
  }
  return 2 * sum;
}

// Roundings of the mixture, 7e-11 for nine equal sizes, are more than such a level.
TEST(PairNodeNoise, ReachesAsFarAsSmallLevelsNeed) {
  const PairSizes nine{1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const double alpha : {1e-9, 1e-11, 1e-15, 1e-30, 1e-100}) {
    const PairNodeNoise noise = PairNodeNoise::of({false, 1 << 20}, 1 << 20, *Alpha::of(alpha));
    const double reach = noise.reach(nine);
    EXPECT_LE(outside_of_nine(reach), alpha);
    EXPECT_GE(outside_of_nine(reach / 1.15), alpha) << alpha;
    EXPECT_TRUE(noise.rarely_reaches(nine, reach * 1.001));
    EXPECT_FALSE(noise.rarely_reaches(nine, reach / 1.15));
  }
}

// Over all pairs of draws.
template <class Law>
double exact_outside(const Law& law, double a, double b, double t) {
  const std::int64_t reach = *law.two_sided_quantile(*Probability::of(1e-9));
  double sum = 0;
  for (std::int64_t x = -reach; x <= reach; ++x) {
    for (std::int64_t y = -reach; y <= reach; ++y) {
      const double at = a * static_cast<double>(x) + b * static_cast<double>(y);
      if (std::abs(at) >= t) sum += law.mass(x).lower * law.mass(y).lower;
    }
  }
  return sum;
}

template <class Law>
void expect_never_optimistic(double scale) {
  const Law law = law_at<Law>(scale);
  const PairNodeNoise noise = PairNodeNoise::of(pair_law(law), 1, level);
  for (const auto& [a, b] : {std::pair{1.0, 1.0}, {1.0, 0.4}, {2.0, 0.0}, {1.0, 0.99}}) {
    EXPECT_LE(exact_outside(law, a, b, noise.reach({a, 0, 0, 0, b})), level.value()) << scale << " " << a << " " << b;
  }
}

TEST(PairNodeNoise, IsNeverOptimisticOfTheIntegersThatAreDrawn) {
  for (const double scale : {0.3, 1.0, 7.0}) {
    expect_never_optimistic<Geometric>(scale);
    expect_never_optimistic<DiscreteGaussian>(scale);
  }
  EXPECT_FALSE(HasFailure());
}

TEST(PairNodeNoise, CountsNoiseInRows) {
  const PairSizes one{1};
  const double in_rows = PairNodeNoise::of(pair_law(law_at<Geometric>(5000)), 1000, level).reach(one);
  EXPECT_NEAR(in_rows, 5 * std::log(20), 0.01);
}

}  // namespace
}  // namespace vernier::interval
