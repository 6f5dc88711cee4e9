#include <cmath>

#include <gtest/gtest.h>

#include "support/integer_laws.hpp"
#include "vernier/interval/noise/combined_noise.hpp"

namespace vernier::interval {
namespace {

using testing::law_at;

double normal_outside(double x) { return std::erfc(x / std::sqrt(2)); }

// The same by adding up over the normal part, in 40,000 steps.
double by_integration(double variance, const Coefficients& sizes, double t) {
  const double deviation = std::sqrt(variance), step = 18.0 / 40'000;
  double sum = 0;
  for (double z = -9 + step / 2; z < 9; z += step) {
    const double at = deviation * z;
    const double right = t - at, left = t + at;  // both tails of what is symmetric
    const auto tail = [&](double x) {
      const double outside = laplace_combination_outside(sizes, std::abs(x)) / 2;
      return x > 0 ? outside : 1 - outside;
    };
    sum += std::exp(-z * z / 2) / std::sqrt(2 * M_PI) * step * (tail(right) + tail(left));
  }
  return sum;
}

TEST(SmoothedNoise, HasTheTailOfTheConvolution) {
  for (const Coefficients& sizes : {Coefficients{1, 0, 0}, {0.7, 0.2, 0.3}, {0.25, 0.25, 0.75}, {0.5, 0, 0.5}}) {
    for (const double variance : {0.01, 0.5, 4.0, 400.0}) {
      for (const double reach : {0.3, 1.5, 3.0}) {
        const double t = reach * std::sqrt(variance + 2);
        const double expected = by_integration(variance, sizes, t);
        EXPECT_NEAR(laplace_and_normal_outside(variance, sizes, t) / expected, 1, 6e-4)
            << variance << " " << reach << " " << sizes[0];
      }
    }
  }
}

TEST(SmoothedNoise, IsNormalWithoutNoiseAndNoiseWithoutANormalPart) {
  EXPECT_NEAR(laplace_and_normal_outside(4, {0, 0, 0}, 3.92), normal_outside(1.96), 1e-9);
  EXPECT_NEAR(laplace_and_normal_outside(1e-20, {1, 0, 0}, 3), std::exp(-3), 1e-6);
  EXPECT_NEAR(laplace_and_normal_outside(1e-6, {1, 0, 0}, 3), std::exp(-3), 1e-6);
}

template <class Law>
class SmoothedNoiseOf : public ::testing::Test {};
using Laws = ::testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(SmoothedNoiseOf, Laws);

TYPED_TEST(SmoothedNoiseOf, ReachesFurtherWithMoreOfEither) {
  const auto noise = SmoothedNoise<TypeParam>::of(law_at<TypeParam>(1000), *Probability::of(0.045));
  const double reach = noise.reach(1e6, {0.5, 0, 0.5});
  EXPECT_TRUE(noise.rarely_reaches(1e6, {0.5, 0, 0.5}, reach));
  EXPECT_FALSE(noise.rarely_reaches(1e6, {0.5, 0, 0.5}, reach * 0.999));
  EXPECT_GT(noise.reach(1.1e6, {0.5, 0, 0.5}), reach);
  EXPECT_GT(noise.reach(1e6, {0.6, 0, 0.5}), reach);
  EXPECT_NEAR(noise.reach(1e12, {0.5, 0, 0.5}) / 1e6, 2.0047, 0.003);  // the normal law's own
}

}  // namespace
}  // namespace vernier::interval
