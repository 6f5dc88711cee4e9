#include <cmath>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "vernier/accounting/key_rule.hpp"

namespace vernier::accounting {
namespace {

using privacy::Neighbours;

// P[1 + X >= t] of geometric noise is q^(t - 1) / (1 + q), q = e^(-1/scale), for t >= 2.
TEST(KeySelection, EscapesAsTheTailOfItsNoiseSays) {
  for (const int threshold : {2, 3, 30, 1000}) {
    const Bounds found = escape_probability(test::key_selection(test::geometric(5), threshold, 4));
    const double q = std::exp(-0.2), exact = std::pow(q, threshold - 1) / (1 + q);
    EXPECT_LE(found.lower, exact * (1 + 1e-12)) << threshold;
    EXPECT_GE(found.upper, exact * (1 - 1e-12)) << threshold;
    EXPECT_NEAR(found.upper, exact, 1e-10 * exact) << threshold;
  }
}

TEST(KeySelection, EscapesWithDiscreteGaussianNoiseToo) {
  const double scale = 3;
  double above = 0, all = 0;
  for (int x = -200; x <= 200; ++x) {
    const double mass = std::exp(-0.5 * x * x / (scale * scale));
    all += mass;
    if (1 + x >= 11) above += mass;
  }
  const Bounds found = escape_probability(test::key_selection(test::discrete_gaussian(scale), 11, 1));
  EXPECT_NEAR(found.lower, above / all, 1e-12 * found.lower);
  EXPECT_NEAR(found.upper, above / all, 1e-12 * found.upper);
  EXPECT_LE(found.lower, found.upper);
}

TEST(KeySelection, TouchesTwiceAsManyKeysWhereAUnitIsReplaced) {
  const KeySelection keys = test::key_selection(test::geometric(5), 30, 4);
  EXPECT_EQ(touched_keys(keys, Neighbours::add_remove), 4);
  EXPECT_EQ(touched_keys(keys, Neighbours::replace), 8);
}

}  // namespace
}  // namespace vernier::accounting
