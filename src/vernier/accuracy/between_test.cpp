#include <cmath>
#include <cstdint>

#include <gtest/gtest.h>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/numeric/ball.hpp"

namespace vernier::accuracy {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double scales[] = {1e-3, 0.01, 0.1, 0.5, 1, 3.3, 20.3, 180, 1e4, 1e8, 1e12};
constexpr double alphas[] = {0.999, 0.5, 0.05, 1e-6, 1e-17, 1e-100, 1e-300};

noise::Geometric law(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
Alpha alpha_of(double value) { return *Alpha::of(value); }

// 2 q^a / (1 + q) with 256 bits: another form of the same curve.
Ball curve(double scale, double a) {
  constexpr Precision precision{256};
  const Ball s = Ball::of(scale, precision), one = Ball::of(1, precision);
  return Ball::of(2, precision) * exp(-(Ball::of(a, precision) / s)) / (one + exp(-(one / s)));
}

TEST(Between, LiesOnTheCurveAndOnItsSafeSide) {
  for (const double scale : scales) {
    for (const double alpha : alphas) {
      const double a = *between(law(scale), alpha_of(alpha));
      const Ball level = Ball::of(alpha, Precision{256});
      EXPECT_EQ(less(level, curve(scale, a)), false) << scale << " " << alpha;
      EXPECT_EQ(less(level, curve(scale, a * (1 - 1e-12))), true) << scale << " " << alpha;
    }
  }
}

TEST(Between, HasTheStrictAccuracyAsItsNextWholeNumber) {
  for (const double scale : scales) {
    for (const double alpha : alphas) {
      const double a = *between(law(scale), alpha_of(alpha));
      if (std::abs(a - std::round(a)) < 1e-9 * a) continue;
      EXPECT_EQ(of(law(scale), alpha_of(alpha), Cells::one())->accuracy_strict, std::ceil(a)) << scale << " " << alpha;
    }
  }
}

TEST(Between, GoesBackToTheLargestScale) {
  for (const double wanted : {0.05, 0.3, 1.0, 1.5, 2.999, 10.0, 1e3, 1e7}) {
    for (const double alpha : alphas) {
      const Result<noise::Geometric> found = geometric_between(*Accuracy::of(wanted), alpha_of(alpha));
      if (!found) continue;  // beyond the scales that there are
      EXPECT_LE(*between(*found, alpha_of(alpha)), wanted * (1 + 1e-12)) << wanted << " " << alpha;
      EXPECT_NE(less(Ball::of(alpha, Precision{256}), curve(found->scale(), wanted)), true) << wanted << " " << alpha;
      const Result<noise::Geometric> more = noise::Geometric::of(*LaplaceScale::of(found->scale() * (1 + 1e-12)));
      if (!more) continue;
      EXPECT_GT(*between(*more, alpha_of(alpha)), wanted) << wanted << " " << alpha;
    }
  }
}

TEST(Between, AgreesWithTheScaleOfAWholeAccuracy) {
  for (const double alpha : {0.05, 1e-6, 1e-100}) {
    for (const double a : {1.0, 2.0, 30.0, 1e6}) {
      const double smooth = geometric_between(*Accuracy::of(a), alpha_of(alpha))->scale();
      const double whole = geometric_for(*Accuracy::of(a - 1), alpha_of(alpha), Cells::one())->scale();
      EXPECT_NEAR(smooth, whole, 1e-12 * whole);
    }
  }
}

TEST(Between, RefusesWhatNoScaleHas) {
  for (const double wanted : {0.0, 1e-9, 1e15}) {
    const Result<noise::Geometric> found = geometric_between(*Accuracy::of(wanted), alpha_of(0.5));
    ASSERT_FALSE(found) << wanted;
    EXPECT_EQ(found.error().kind, ErrorKind::invalid);
  }
}

}  // namespace
}  // namespace vernier::accuracy
