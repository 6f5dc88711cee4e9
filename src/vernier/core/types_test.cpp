#include "vernier/core/types.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Types, AcceptWhatTheirRuleAllows) {
  EXPECT_EQ(Real::of(-2.5)->value(), -2.5);
  EXPECT_EQ(Probability::of(0)->value(), 0);
  EXPECT_EQ(Probability::of(1)->value(), 1);
  EXPECT_EQ(LaplaceScale::of(greatest_scale)->value(), greatest_scale);
  EXPECT_EQ(Sigma::of(least_scale)->value(), least_scale);
}

TEST(Types, RefuseWhatTheirRuleForbids) {
  for (const double value : {nan, infinity, -infinity}) {
    EXPECT_FALSE(Real::of(value));
    EXPECT_FALSE(Probability::of(value));
    EXPECT_FALSE(LaplaceScale::of(value));
    EXPECT_FALSE(Sigma::of(value));
  }
  for (const double value :
       {-1.0, -0.0, 0.0, std::nextafter(least_scale, 0), std::nextafter(greatest_scale, infinity)}) {
    EXPECT_FALSE(LaplaceScale::of(value));
    EXPECT_FALSE(Sigma::of(value));
  }
  EXPECT_FALSE(Probability::of(std::nextafter(1.0, 2.0)));
  EXPECT_FALSE(Probability::of(-1e-300));
}

TEST(Types, SayWhichValueBrokeTheRule) {
  EXPECT_EQ(LaplaceScale::of(-3).error().kind, ErrorKind::invalid);
  EXPECT_EQ(LaplaceScale::of(-3).error().sentence(),
            "the scale must be a positive number between 1e-100 and 1e+100, but it is -3");
}

}  // namespace
}  // namespace vernier
