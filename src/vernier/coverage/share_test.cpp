#include "vernier/coverage/share.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace vernier::coverage {
namespace {

// P[Binomial(n, p) <= k], by its sum.
double at_most(std::int64_t k, std::int64_t n, double p) {
  double sum = 0;
  for (std::int64_t i = 0; i <= k; ++i) {
    const auto x = static_cast<double>(i), all = static_cast<double>(n);
    sum += std::exp(std::lgamma(all + 1) - std::lgamma(x + 1) - std::lgamma(all - x + 1) + x * std::log(p) +
                    (all - x) * std::log1p(-p));
  }
  return sum;
}

TEST(Share, HasTheEndsAtWhichHalfOfTheLevelIsBeyond) {
  const Probability level = *Probability::of(0.05);
  for (const std::int64_t k : {1, 7, 40, 99}) {
    const Bounds found = clopper_pearson({k, 100}, level);
    EXPECT_NEAR(1 - at_most(k - 1, 100, found.lower), 0.025, 1e-9) << k;
    EXPECT_NEAR(at_most(k, 100, found.upper), 0.025, 1e-9) << k;
  }
}

TEST(Share, ReachesTheEndWhereAllOrNoneHit) {
  const Probability level = *Probability::of(0.05);
  EXPECT_EQ(clopper_pearson({0, 50}, level).lower, 0);
  EXPECT_NEAR(clopper_pearson({0, 50}, level).upper, 1 - std::pow(0.025, 1.0 / 50), 1e-9);
  EXPECT_EQ(clopper_pearson({50, 50}, level).upper, 1);
  EXPECT_NEAR(clopper_pearson({50, 50}, level).lower, std::pow(0.025, 1.0 / 50), 1e-9);
}

// The greatest number of hits that refutes, and the next one that does not, by the sum.
TEST(Share, RefutesWhatIsRarerThanTheLevel) {
  for (const double level : {1e-3, 1e-6, 1e-8}) {
    std::int64_t k = 0;
    while (at_most(k, 1000, 0.95) <= level) ++k;
    EXPECT_TRUE(is_refuted({k - 1, 1000}, 0.95, level)) << level;
    EXPECT_FALSE(is_refuted({k, 1000}, 0.95, level)) << level;
  }
  EXPECT_FALSE(is_refuted({1000, 1000}, 0.95, 1e-6));
  EXPECT_TRUE(is_refuted({0, 1000}, 0.95, 1e-6));
}

}  // namespace
}  // namespace vernier::coverage
