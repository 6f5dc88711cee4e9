#include "vernier/numeric/scale_bracket.hpp"

#include <functional>

#include <gtest/gtest.h>

namespace vernier::numeric {
namespace {

struct Found {
  double at;
  int trials;
};

// The least scale from `low` to `high` with an excess of at most 0.
Found found(const std::function<double(double)>& excess, double low, double high, double precision) {
  ScaleBracket bracket(precision);
  const auto put = [&](double at) { bracket.put({at, excess(at), excess(at) <= 0}); };
  put(low);
  put(high);
  int trials = 0;
  for (; !bracket.is_narrow() && trials < 1000; ++trials) put(bracket.next());
  return {bracket.yes().at, trials};
}

TEST(ScaleBracket, FindsWhereAPowerFallsToOneInFewTrials) {
  for (const double power : {0.5, 1.0, 2.0}) {
    for (const double precision : {1e-6, 1e-13}) {
      const Found least = found([&](double x) { return -power * std::log(x / 3); }, 1e-3, 1e6, precision);
      EXPECT_GE(least.at, 3 * (1 - 1e-15));
      EXPECT_LE(least.at, 3 * (1 + 2 * precision)) << power;
      EXPECT_LE(least.trials, 12) << power;
    }
  }
}

TEST(ScaleBracket, IsNotMisledByStepsAndInfinities) {
  const Found step = found([](double x) { return x < 7 ? INFINITY : -1e-9; }, 1, 1e9, 1e-9);
  EXPECT_GE(step.at, 7);
  EXPECT_LE(step.at, 7 * (1 + 2e-9));
  EXPECT_LE(step.trials, 60);
}

}  // namespace
}  // namespace vernier::numeric
