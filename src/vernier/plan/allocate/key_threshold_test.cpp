#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"

namespace vernier::plan {
namespace {

using test::Parameters;

Law geometric(double scale) { return *noise::Geometric::of(*LaplaceScale::of(scale)); }
Law gaussian(double scale) { return *noise::DiscreteGaussian::of(*Sigma::of(scale)); }

// P[units + noise >= threshold], mass by mass over all noise that matters.
double direct_chance(const Law& law, std::int64_t threshold, std::int64_t units) {
  const auto reach = static_cast<std::int64_t>(60 * scale_of(law)) + 60;
  double sum = 0;
  for (std::int64_t x = reach; x >= -reach; --x) {
    if (units + x >= threshold)
      sum += std::visit([&](const auto& known) { return known.mass(x).upper; }, *additive(law));
  }
  return sum;
}

double direct_escape(const Law& law, std::int64_t touched, std::int64_t threshold) {
  return -std::expm1(static_cast<double>(touched) * std::log1p(-direct_chance(law, threshold, 1)));
}

// One less would risk more.
TEST(KeyThreshold, IsTheLeastThatKeepsWithinTheRisk) {
  Parameters any(621);
  for (int i = 0; i < 24; ++i) {
    const double scale = any.log_uniform(0.2, 12);
    const Law law = i % 2 == 0 ? geometric(scale) : gaussian(scale);
    const KeyRisk risk{static_cast<std::int64_t>(any.log_uniform(1, 1000)), any.log_uniform(1e-12, 1e-3)};
    const std::int64_t threshold = least_threshold(law, risk).value();
    EXPECT_LE(direct_escape(law, risk.touched, threshold), risk.delta * (1 + 1e-9)) << i;
    EXPECT_GT(direct_escape(law, risk.touched, threshold - 1), risk.delta * (1 - 1e-9)) << i;
  }
}

TEST(KeyThreshold, BoundsTheEscapeOfAnyKey) {
  const Bounds bounds = escape_of_any(geometric(4), 7, 40);
  EXPECT_NEAR(bounds.lower / direct_escape(geometric(4), 7, 40), 1, 1e-10);
  EXPECT_GE(bounds.upper, bounds.lower);
  EXPECT_LE(bounds.upper, bounds.lower * (1 + 1e-12));
}

// A key of one unit is withheld even where there is next to no noise.
TEST(KeyThreshold, IsTwoWithoutNoise) { EXPECT_EQ(least_threshold(geometric(0.001), {1, 0.5}).value(), 2); }

TEST(Forecast, TellsTheChanceOfEachSize) {
  for (const Law& law : {geometric(5), gaussian(7)}) {
    for (const PublishedChance& one : forecast(law, 80)) {
      const double direct = direct_chance(law, 80, one.units);
      EXPECT_LE(one.chance.lower, direct * (1 + 1e-10)) << one.units;
      EXPECT_GE(one.chance.upper, direct * (1 - 1e-10)) << one.units;
      EXPECT_LE(one.chance.upper - one.chance.lower, 1e-12) << one.units;
    }
  }
}

// From one unit on, up, past the chances that people ask for, with round numbers between.
TEST(Forecast, ListsSizesThatAreWorthKnowing) {
  const auto list = forecast(geometric(40), 800);
  EXPECT_EQ(list.front().units, 1);
  for (std::size_t i = 1; i < list.size(); ++i) EXPECT_LT(list[i - 1].units, list[i].units);
  for (const double wanted : {0.01, 0.05, 0.5, 0.95, 0.99}) {
    const auto found =
        std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.chance.lower >= wanted; });
    ASSERT_NE(found, list.end()) << wanted;
    EXPECT_LT(direct_chance(geometric(40), 800, found->units - 1), wanted * 1.03) << wanted;
  }
  EXPECT_TRUE(std::any_of(list.begin(), list.end(), [](const auto& one) { return one.units == 1000; }) ||
              list.back().units < 1000);
  EXPECT_FALSE(std::any_of(list.begin(), list.end(), [](const auto& one) { return one.units > 2000; }));
}

}  // namespace
}  // namespace vernier::plan
