#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/exact_delta.hpp"
#include "support/parameters.hpp"
#include "vernier/mechanism/discrete_gaussian_curve.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double least = std::numeric_limits<double>::denorm_min();

bool is_exact(const DiscreteGaussianPoint& at, const Bounds& bounds) {
  const test::ExactDelta exact(at.scale, static_cast<std::int64_t>(at.sensitivity), at.epsilon);
  return exact.within(bounds);
}

// A point whose threshold lies z scales from 0; epsilon may be anything from 0 on.
DiscreteGaussianPoint point_at(double scale, double sensitivity, double z) {
  const double t = z * scale;
  return {scale, sensitivity, std::fmax(0, (t + sensitivity / 2) * sensitivity / scale / scale)};
}

void expect_exact(const DiscreteGaussianPoint& at) {
  const Bounds delta = delta_at(at);
  EXPECT_TRUE(is_exact(at, delta)) << at.scale << " " << at.sensitivity << " " << at.epsilon;
  EXPECT_GT(delta.upper, 0);
  if (delta.upper < 1e-300) return;
  EXPECT_LE(delta.upper - delta.lower, 1e-12 * delta.upper) << at.scale << " " << at.sensitivity << " " << at.epsilon;
}

// The definition: the sum of what P[X = x] exceeds e^epsilon P[X = x + D] by.
TEST(DiscreteGaussianDelta, IsTheHockeyStickOfTheTwoLaws) {
  constexpr Precision bits{256};
  test::Parameters any(71);
  for (int i = 0; i < 60; ++i) {
    const DiscreteGaussianPoint at{any.log_uniform(0.1, 6), std::floor(any.uniform(1, 8)), any.log_uniform(1e-3, 40)};
    const auto shift = static_cast<std::int64_t>(at.sensitivity);
    const noise::DiscreteGaussian law = *noise::DiscreteGaussian::of(*Sigma::of(at.scale));
    const Ball factor = exp(Ball::of(at.epsilon, bits));
    Ball sum = Ball::of(0, bits);
    for (std::int64_t x = -150; x <= 250; ++x) {
      const Ball excess = law.weight(x, bits) - factor * law.weight(x + shift, bits);
      if (less(Ball::of(0, bits), excess) == true) sum = sum + excess;
    }
    const double delta = (sum / law.total(bits)).nearest();
    const Bounds bounds = delta_at(at);
    EXPECT_LE(bounds.lower, delta * (1 + 1e-14)) << at.scale << " " << at.sensitivity << " " << at.epsilon;
    EXPECT_GE(bounds.upper, delta * (1 - 1e-14)) << at.scale << " " << at.sensitivity << " " << at.epsilon;
  }
}

TEST(DiscreteGaussianDelta, IsExactForEveryScaleAndThreshold) {
  test::Parameters any(72);
  for (int i = 0; i < 1500; ++i) {
    const double scale = i % 2 == 0 ? any.log_uniform(1e-3, 1e12) : any.log_uniform(0.05, 100);
    const double widest = i % 3 == 0 ? std::fmax(20, std::fmin(1e15, 20 * scale)) : 20;
    expect_exact(point_at(scale, std::floor(any.log_uniform(1, widest)), any.uniform(-9, 38)));
  }
}

TEST(DiscreteGaussianDelta, IsExactForEveryEpsilon) {
  test::Parameters any(73);
  for (int i = 0; i < 1000; ++i) {
    const double scale = any.log_uniform(1e-3, 1e12);
    const double sensitivity = std::floor(i % 2 == 0 ? any.log_uniform(1, 9e15) : any.log_uniform(1, 30));
    expect_exact({scale, sensitivity, any.log_uniform(1e-10, 1e4)});
  }
}

// The fast way has four forms; each is met, and none strays.
TEST(DiscreteGaussianDelta, IsExactWhereTheFormsMeet) {
  for (const double scale : {std::nextafter(8.0, 0), 8.0, 9.5, 30.0, 45.5}) {
    for (const double sensitivity : {1.0, 5.0, 60.0, 1.2 * scale * scale, 1.3 * scale * scale, 4e3}) {
      for (const double z : {-6.3, -6.0, -5.9, -0.8, -0.01, 0.01, 1.0, scale - 0.1, scale, scale + 0.1}) {
        expect_exact(point_at(scale, std::floor(sensitivity), z));
      }
    }
  }
}

// epsilon s^2 / D - D / 2 is a whole number, or the nearest double beside it.
TEST(DiscreteGaussianDelta, IsExactAtTheKinks) {
  for (const double scale : {0.015625, 0.0625, 0.25, 0.5, 1.0, 4.0, 16.0}) {
    for (const double j : {0.0, 1.0, 2.0, 7.0}) {
      for (const double sensitivity : {1.0, 2.0, 7.0}) {
        const double epsilon = (j + sensitivity / 2) * sensitivity / (scale * scale);
        for (const double beside : {epsilon, std::nextafter(epsilon, 0), std::nextafter(epsilon, 1e9)}) {
          expect_exact({scale, sensitivity, beside});
        }
      }
    }
  }
}

TEST(DiscreteGaussianDelta, IsAnsweredInDoublesNearlyEverywhere) {
  test::Parameters any(74);
  int fast = 0;
  for (int i = 0; i < 2000; ++i) {
    const double scale = any.log_uniform(1e-3, 1e12);
    const double sensitivity = std::floor(any.log_uniform(1, std::fmax(2, 5 * scale)));
    fast += fast_delta(point_at(scale, std::fmin(sensitivity, 1e15), any.uniform(-8, 37))) ? 1 : 0;
  }
  EXPECT_GE(fast, 1900);
}

TEST(DiscreteGaussianDelta, IsTheLeastDoubleWhereItIsTooSmallForDoubles) {
  EXPECT_EQ(delta_at({1e12, 1, 1e4}), (Bounds{0, least}));
  EXPECT_EQ(delta_at({0.001, 1, 5e6}), (Bounds{0, least}));
}

// The continuous formula says 0.12693674 here: too little.
TEST(DiscreteGaussianDelta, IsNotThatOfTheContinuousLaw) { EXPECT_NEAR(delta_at({1, 1, 1}).upper, 0.14135134, 1e-8); }

TEST(DiscreteGaussianDelta, RisesAndFallsWithTheScale) {
  EXPECT_NEAR(delta_at({0.22361, 1, 10}).upper, 4.54e-5, 1e-7);
  EXPECT_NEAR(delta_at({0.25, 1, 10}).upper, 3.35e-4, 1e-6);
  EXPECT_NEAR(delta_at({0.3625, 1, 10}).upper, 1.61e-2, 1e-4);
  EXPECT_NEAR(delta_at({0.3873, 1, 10}).upper, 1.51e-6, 1e-8);
  EXPECT_NEAR(delta_at({std::sqrt(0.5), 1, 1}).upper, 0.18966, 1e-5);
  EXPECT_NEAR(delta_at({0.7537, 1, 1}).upper, 0.19227, 1e-5);
}

// A target that is delta rounded to a double is a near-tie: it takes balls, and they decide.
TEST(DiscreteGaussianDelta, IsComparedExactlyWithItsOwnRounding) {
  test::Parameters any(75);
  for (int i = 0; i < 100; ++i) {
    const DiscreteGaussianPoint at =
        point_at(any.log_uniform(0.1, 1e9), std::floor(any.uniform(1, 9)), any.uniform(0, 30));
    const Ball exact = delta_with_slope(at, {256})->value;
    const Bounds neighbours = exact.bounds();
    EXPECT_TRUE(delta_is_at_most(at, neighbours.upper)) << at.scale;
    EXPECT_FALSE(delta_is_at_most(at, neighbours.lower)) << at.scale;
  }
}

}  // namespace
}  // namespace vernier::mechanism
