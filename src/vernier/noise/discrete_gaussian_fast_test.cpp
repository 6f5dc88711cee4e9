#include "vernier/noise/discrete_gaussian_fast.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "support/reference.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/gaussian_sum.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{200};
constexpr double least = std::numeric_limits<double>::denorm_min();

DiscreteGaussian law_at(double scale) { return *DiscreteGaussian::of(*Sigma::of(scale)); }

// The ball lies between the bounds.
bool contains(const Bounds& bounds, const Ball& exact) {
  return less(exact, Ball::of(bounds.lower, fine)) == false && less(Ball::of(bounds.upper, fine), exact) == false;
}

Bounds bounds_of(const Approximation& a) { return {a.value * (1 - a.error), a.value * (1 + a.error)}; }

TEST(FastDiscreteGaussian, HasTheTotalOfTheBalls) {
  test::Parameters any(61);
  for (int i = 0; i < 2000; ++i) {
    const double s = i == 0 ? 1 : i % 2 == 0 ? any.log_uniform(1e-3, 1e12) : any.uniform(0.1, 2);
    const Approximation total = fast_gaussian_total(s);
    EXPECT_TRUE(contains(bounds_of(total), gaussian_total(s, fine))) << s;
    EXPECT_LE(total.error, 1e-14);
  }
}

// On both sides of every change of method: scale 8, and z = s.
TEST(FastDiscreteGaussian, HasTheUpperSumOfTheBalls) {
  test::Parameters any(62);
  for (int i = 0; i < 3000; ++i) {
    const double s = i % 3 == 0 ? any.log_uniform(1e-3, 1e12) : i % 3 == 1 ? any.uniform(0.3, 9) : any.uniform(8, 60);
    const double m = std::floor(any.uniform(0, i % 5 == 0 ? std::fmin(1.1 * s, 38) : 38) * s);
    const UpperSum sum = fast_upper_sum(s, m);
    const Ball size = exp(Ball::of(-sum.exponent.hi, fine)) * exp(Ball::of(-sum.exponent.lo, fine));
    const Ball factor = gaussian_upper_sum(s, static_cast<std::int64_t>(m), fine) / size;
    EXPECT_TRUE(contains(bounds_of(sum.factor), factor)) << s << " " << m;
    EXPECT_LE(sum.factor.error, 3e-14) << s << " " << m;
  }
}

TEST(FastDiscreteGaussian, CutsItsSeriesWithinTheRemainderItStates) {
  test::Parameters any(63);
  for (int i = 0; i < 500; ++i) {
    const double s = any.log_uniform(8, 1000), h = 1 / s;
    const double m = std::floor(any.uniform(0, std::fmin(s, 30)) * s), z = (m + 0.5) / s;
    const auto cut = midpoint_cut(h, z, any.log_uniform(1e-17, 1e-3));
    ASSERT_TRUE(cut);
    const Enclosed series = midpoint_series(h, z, cut->terms);
    const Ball centre = (Ball::of(m, fine) + Ball::of(0.5, fine)) / Ball::of(s, fine);
    const Ball scale = Ball::of(s, fine) * exp(-times_power_of_two(power(centre, 2), -1));
    const Ball integral = sqrt(times_power_of_two(Ball::pi(fine), -1)) * erfc(centre / sqrt(Ball::of(2, fine)));
    const Ball rest = gaussian_upper_sum(s, static_cast<std::int64_t>(m), fine) - Ball::of(s, fine) * integral;
    const double allowed = cut->remainder + series.error;
    EXPECT_TRUE(contains({series.value - allowed, series.value + allowed}, rest / scale)) << s << " " << m;
  }
}

TEST(FastDiscreteGaussian, HasTheProbabilityOutsideOfTheBalls) {
  test::Parameters any(64);
  for (int i = 0; i < 3000; ++i) {
    const double s = any.log_uniform(1e-3, 1e12);
    const auto a = static_cast<std::int64_t>(any.uniform(0, 40) * s);
    const Bounds outside = law_at(s).outside(a);
    EXPECT_TRUE(contains(outside, times_power_of_two(law_at(s).tail(a, fine), 1))) << s << " " << a;
    if (outside.upper > 1e-300) {
      EXPECT_LE(outside.upper - outside.lower, 1e-12 * outside.upper) << s << " " << a;
    }
    EXPECT_GT(outside.upper, 0);
  }
}

TEST(FastDiscreteGaussian, KnowsTheEndsOfItsDomain) {
  constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(law_at(3).outside(-1), (Bounds{1, 1}));
  EXPECT_EQ(law_at(3).outside(std::numeric_limits<std::int64_t>::min()), (Bounds{1, 1}));
  EXPECT_EQ(law_at(0.001).outside(0), (Bounds{0, least}));
  EXPECT_EQ(law_at(1e12).outside(last), (Bounds{0, least}));
  EXPECT_LE(law_at(1e12).outside(0).upper, 1);
  EXPECT_GT(law_at(1e12).outside(0).lower, 1 - 1e-12);
}

// At scale 0.5 the least a with P[abs(X) >= a] <= 1e-300 is 19; a sum that stops too early says 5.
TEST(FastDiscreteGaussian, DoesNotStopEarlyInTheFarTail) {
  EXPECT_LE(law_at(0.5).outside(18).upper, 1e-300);
  EXPECT_GT(law_at(0.5).outside(17).lower, 1e-300);
}

TEST(FastDiscreteGaussian, AgreesWithTheReferenceTableOfMargins) {
  const auto rows = test::reference_rows("margin.csv");
  int compared = 0;
  for (const auto& row : rows) {
    if (row[0] != "discrete-gaussian") continue;
    const DiscreteGaussian law = law_at(read_number("scale", row[1]).value());
    const double alpha = read_number("alpha", row[2]).value();
    const std::int64_t margin = read_integer("margin", row[3]).value();
    EXPECT_LE(law.outside(margin).upper, alpha) << row[1] << " " << row[2];
    EXPECT_GT(law.outside(margin - 1).lower, alpha) << row[1] << " " << row[2];
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

TEST(FastDiscreteGaussian, AgreesWithTheReferenceTableOfScales) {
  const auto rows = test::reference_rows("scale_of_margin.csv");
  int compared = 0;
  for (const auto& row : rows) {
    if (row[0] != "discrete-gaussian") continue;
    const std::int64_t margin = read_integer("margin", row[1]).value();
    const double alpha = read_number("alpha", row[2]).value();
    const double scale = read_number("scale", row[3]).value();
    EXPECT_LE(law_at(scale * (1 - 1e-12)).outside(margin).upper, alpha) << row[1] << " " << row[2];
    EXPECT_GT(law_at(scale * (1 + 1e-12)).outside(margin).lower, alpha) << row[1] << " " << row[2];
    ++compared;
  }
  EXPECT_GE(compared, 10);
}

}  // namespace
}  // namespace vernier::noise
