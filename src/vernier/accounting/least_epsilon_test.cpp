#include "vernier/accounting/least_epsilon.hpp"

#include <gtest/gtest.h>

namespace vernier::accounting {
namespace {

// One loss of 10: delta = 1 - e^(epsilon - 10). Its guide is wrong by a factor, and the fall by ten.
struct MisguidedLaw {
  double factor;
  LossTail tail(double epsilon) const {
    const double delta = -std::expm1(epsilon - 10);
    return {std::log(factor * delta), 10 * (1 / delta - 1)};
  }
  Bounds delta(double epsilon) const {
    const double exact = -std::expm1(epsilon - 10);
    return {exact * (1 - 1e-3), exact * (1 + 1e-3)};
  }
};

TEST(LeastEpsilon, StandsOnCertifiedDeltasWhateverTheGuideSays) {
  for (const double factor : {0.5, 0.9, 1.0, 1.1, 2.0}) {
    for (const double target : {1e-3, 0.2, 0.7}) {
      const MisguidedLaw law{factor};
      const Bounds epsilon = certified_epsilon(law, target, 3, 10);
      EXPECT_LE(law.delta(epsilon.upper).upper, target);
      EXPECT_TRUE(epsilon.lower == 0 || law.delta(epsilon.lower).lower >= target);
      EXPECT_LE(epsilon.upper - epsilon.lower, factor > 0.8 ? 1 : 10);
    }
  }
}

TEST(LeastEpsilon, IsZeroWhereThatCertainlyDoes) {
  EXPECT_EQ(certified_epsilon(MisguidedLaw{1}, 1, 3, 10).lower, 0);
  EXPECT_EQ(certified_epsilon(MisguidedLaw{0.5}, 0.9999, 3, 10).lower, 0);  // undecided: 1 - e^-10 is within the error
}

}  // namespace
}  // namespace vernier::accounting
