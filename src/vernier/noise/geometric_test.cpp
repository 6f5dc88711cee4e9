#include "vernier/noise/geometric.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

Geometric law_at(double scale) { return *Geometric::of(*LaplaceScale::of(scale)); }

// At scale 1 / ln 2 the ratio q is 1/2, but for the rounding of the scale: mass 2^-abs(x) / 3, tail 2^-x / 3.
TEST(Geometric, HasTheClosedValuesOfRatioOneHalf) {
  const Geometric law = law_at(1 / std::log(2));
  EXPECT_NEAR(law.mass(0).lower, 1.0 / 3, 1e-15);
  EXPECT_NEAR(law.mass(-3).lower, 1.0 / 24, 1e-15);
  EXPECT_NEAR(law.tail(0).lower, 1.0 / 3, 1e-15);
  EXPECT_NEAR(law.tail(3).lower, 1.0 / 24, 1e-15);
  EXPECT_NEAR(law.cumulative(-1).lower, 1.0 / 3, 1e-15);
  EXPECT_NEAR(law.cumulative(0).lower, 2.0 / 3, 1e-15);
  EXPECT_NEAR(law.variance().lower, 4, 1e-14);
}

// For large scales the variance is 2 scale^2 - 1/6 + O(1 / scale^2).
TEST(Geometric, HasAVarianceALittleBelowLaplaces) {
  EXPECT_NEAR(law_at(100).variance().lower, 20000 - 1.0 / 6, 1e-5);
  EXPECT_NEAR(law_at(1e12).variance().upper / 2e24, 1, 1e-15);
}

TEST(Geometric, IsExactAboutItsScaleWhereTheTextbookFormulaIsNot) {
  // The least a with P[abs(X) > a] <= 0.05 at scale 180: the ceiling formula says 540, the exact least is 539.
  const Geometric law = law_at(180);
  EXPECT_LE(2 * law.tail(539).upper, 0.05);
  EXPECT_GT(2 * law.tail(538).lower, 0.05);
}

TEST(Geometric, RefusesScalesOutsideItsDomain) {
  EXPECT_TRUE(Geometric::of(*LaplaceScale::of(least_integer_scale)));
  EXPECT_TRUE(Geometric::of(*LaplaceScale::of(greatest_integer_scale)));
  for (const double scale : {1e-3 - 1e-18, std::nextafter(1e12, 1e13), 1e100, 1e-100}) {
    ASSERT_FALSE(Geometric::of(*LaplaceScale::of(scale)));
    EXPECT_EQ(Geometric::of(*LaplaceScale::of(scale)).error().kind, ErrorKind::invalid);
  }
}

}  // namespace
}  // namespace vernier::noise
