#include "vernier/noise/any_law.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace vernier::noise {
namespace {

TEST(AnyLaw, IsFoundUnderItsName) {
  for (const char* name : {"laplace", "geometric", "gaussian", "discrete-gaussian"}) {
    const Result<AnyLaw> law = law_named(name, 2.5);
    ASSERT_TRUE(law) << name;
    EXPECT_EQ(name_of(*law), name);
    EXPECT_EQ(scale_of(*law), 2.5);
  }
  EXPECT_TRUE(std::holds_alternative<Laplace>(*law_named("laplace", 1)));
  EXPECT_TRUE(std::holds_alternative<Geometric>(*law_named("geometric", 1)));
  EXPECT_TRUE(std::holds_alternative<Gaussian>(*law_named("gaussian", 1)));
  EXPECT_TRUE(std::holds_alternative<DiscreteGaussian>(*law_named("discrete-gaussian", 1)));
}

TEST(AnyLaw, HasAStandardDeviation) {
  EXPECT_EQ(standard_deviation(*law_named("gaussian", 2.5)), 2.5);
  EXPECT_NEAR(standard_deviation(*law_named("laplace", 2)), 2 * std::sqrt(2), 1e-15);
  EXPECT_NEAR(standard_deviation(*law_named("geometric", 1)), 1 / (std::sqrt(2) * std::sinh(0.5)), 1e-15);
  EXPECT_GT(standard_deviation(*law_named("discrete-gaussian", 1e-3)), 0);  // its variance is below all doubles
}

// The square of what is said is never below the variance, and that of the double before it is.
TEST(AnyLaw, RoundsTheStandardDeviationUp) {
  constexpr numeric::Precision precision{256};
  const auto square = [&](double x) { return power(numeric::Ball::of(x, precision), 2); };
  for (const char* name : {"laplace", "geometric", "discrete-gaussian"}) {
    for (double scale = 0.7; scale < 3; scale += 0.01) {
      const AnyLaw law = *law_named(name, scale);
      const numeric::Ball variance =
          numeric::Ball::of(std::visit([](const auto& one) { return one.variance().upper; }, law), precision);
      const double deviation = standard_deviation(law);
      EXPECT_EQ(less(square(deviation), variance), false) << name << " " << scale;
      EXPECT_EQ(less(square(std::nextafter(deviation, 0)), variance), true) << name << " " << scale;
    }
  }
}

TEST(AnyLaw, TakesDiscreteLaplaceForGeometric) { EXPECT_EQ(name_of(*law_named("discrete-laplace", 3)), "geometric"); }

TEST(AnyLaw, ListsTheNamesWhenItKnowsNone) {
  EXPECT_EQ(law_named("normal", 1).error().kind, ErrorKind::invalid);
  EXPECT_EQ(law_named("normal", 1).error().sentence(),
            "the mechanism must be one of laplace, geometric, discrete-laplace, gaussian, discrete-gaussian, but it is "
            "'normal'");
  EXPECT_FALSE(law_named("", 1));
  EXPECT_FALSE(law_named("Laplace", 1));
}

TEST(AnyLaw, TakesEveryNameThatItLists) {
  EXPECT_EQ(law_names().size(), 5U);
  for (const std::string& name : law_names()) EXPECT_TRUE(law_named(name, 1)) << name;
}

TEST(AnyLaw, RefusesABadScaleForEveryLaw) {
  for (const char* name : {"laplace", "geometric", "discrete-laplace", "gaussian", "discrete-gaussian"}) {
    for (const double scale : {0.0, -1.0, 1e101, std::numeric_limits<double>::quiet_NaN()}) {
      EXPECT_FALSE(law_named(name, scale)) << name << " " << scale;
    }
  }
  EXPECT_EQ(law_named("geometric", 1e13).error().sentence(),
            "the scale of an integer law must lie between 0.001 and 1e+12, but it is 1e+13");
  EXPECT_FALSE(law_named("discrete-gaussian", 0.0009));
  EXPECT_TRUE(law_named("discrete-gaussian", 0.001));
  EXPECT_TRUE(law_named("laplace", 1e13));
}

}  // namespace
}  // namespace vernier::noise
