#include "vernier/privacy/parameters.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::privacy {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(PrivacyParameters, KeepWhatTheyAreGiven) {
  EXPECT_EQ(Epsilon::of(1e-10)->value(), 1e-10);
  EXPECT_EQ(Epsilon::of(1e4)->value(), 1e4);
  EXPECT_EQ(Delta::of(1e-300)->value(), 1e-300);
  EXPECT_EQ(Delta::of(0.5)->value(), 0.5);
  EXPECT_TRUE(Delta::of(0)->is_pure());
  EXPECT_EQ(L1Sensitivity::of(1e100)->value(), 1e100);
  EXPECT_EQ(L2Sensitivity::of(0.3)->value(), 0.3);
  EXPECT_EQ(IntegerSensitivity::of(std::int64_t{1} << 53)->value(), std::int64_t{1} << 53);
}

TEST(PrivacyParameters, TakeTheLeastDecimalRoundedDown) {
  const double epsilon = std::nextafter(1e-10, 0), delta = std::nextafter(1e-300, 0);
  EXPECT_EQ(Epsilon::of(epsilon)->value(), epsilon);
  EXPECT_EQ(Delta::of(delta)->value(), delta);
  EXPECT_FALSE(Epsilon::of(std::nextafter(epsilon, 0)));
  EXPECT_FALSE(Delta::of(std::nextafter(delta, 0)));
}

TEST(PrivacyParameters, RefuseWhatBreaksTheirRule) {
  for (const double value : {0.0, -1.0, 9e-11, std::nextafter(1e4, 2e4), infinity, nan}) {
    ASSERT_FALSE(Epsilon::of(value)) << value;
    EXPECT_EQ(Epsilon::of(value).error().kind, ErrorKind::invalid);
  }
  for (const double value : {-1e-6, 1e-301, std::nextafter(0.5, 1), 1.0, infinity, nan}) {
    ASSERT_FALSE(Delta::of(value)) << value;
  }
  for (const double value : {0.0, -1.0, 1.1e100, infinity, nan}) {
    ASSERT_FALSE(L1Sensitivity::of(value)) << value;
    ASSERT_FALSE(L2Sensitivity::of(value)) << value;
  }
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-1}, (std::int64_t{1} << 53) + 1}) {
    ASSERT_FALSE(IntegerSensitivity::of(value)) << value;
  }
  EXPECT_EQ(Epsilon::of(0).error().sentence(), "epsilon must be a number between 1e-10 and 10000, but it is 0");
}

TEST(PrivacyParameters, KnowRhoAndItsRange) {
  EXPECT_EQ(Rho::of(1e-20)->value(), 1e-20);
  EXPECT_EQ(Rho::of(1e8)->value(), 1e8);
  for (const double value : {0.0, -1.0, 9e-21, std::nextafter(1e8, 2e8), infinity, nan}) {
    ASSERT_FALSE(Rho::of(value)) << value;
  }
  EXPECT_EQ(Rho::of(0).error().sentence(), "rho must be a number between 1e-20 and 1e+08, but it is 0");
}

TEST(PrivacyParameters, SampleNobodyNeverAndEveryoneAtMost) {
  EXPECT_EQ(SamplingRate::of(5e-324)->value(), 5e-324);
  EXPECT_FALSE(SamplingRate::of(std::nextafter(1, 0))->is_everyone());
  EXPECT_TRUE(SamplingRate::of(1)->is_everyone());
  EXPECT_TRUE(SamplingRate::everyone().is_everyone());
  for (const double value : {0.0, -0.1, std::nextafter(1, 2), infinity, nan}) {
    ASSERT_FALSE(SamplingRate::of(value)) << value;
  }
  EXPECT_EQ(SamplingRate::of(2).error().sentence(), "the sampling rate must be above 0 and at most 1, but it is 2");
}

}  // namespace
}  // namespace vernier::privacy
