#include "vernier/plan/statistic/rounded_relation.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace vernier::plan {
namespace {

using Rows = std::array<double, 3>;

constexpr double of_x = 0.5, of_y = 0.25;  // granularities; x in [0, 8], y in [1, 3]

Measurement measured(const Figure& figure) {
  Measurement made{};
  made.kind = Pair::kind;
  made.figure = figure;
  made.granularity = of_y, made.origin = 4, made.steps = 8;
  made.is_rounded = true;
  made.paired = PairedGrid{of_x, 0, 16, true};
  return made;
}

double mean(const Rows& rows) { return (rows[0] + rows[1] + rows[2]) / 3; }
double products(const Rows& x, const Rows& y) {
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += (x[i] - mean(x)) * (y[i] - mean(y));
  return sum;
}
double deviation(const Rows& rows) { return std::sqrt(products(rows, rows) / 3); }

double relation(const Figure& figure, const Rows& x, const Rows& y) {
  const double xx = products(x, x), yy = products(y, y), xy = products(x, y);
  if (figure == Pair::slope) return xy / xx;
  if (figure == Pair::intercept) return mean(y) - xy / xx * mean(x);
  if (figure == Pair::correlation) return xy / std::sqrt(xx * yy);
  if (figure == Pair::determination) return xy * xy / (xx * yy);
  if (figure == Pair::squares_x) return xx;
  return figure == Pair::squares_y ? yy : xy;
}

Rows rounded(const Rows& rows, double granularity) {
  Rows steps = rows;
  for (double& one : steps) one = std::floor(one / granularity + 0.5) * granularity;
  return steps;
}

// How much of what is allowed for values use up that lie so far from their steps, each to either side; above 1 is a
// miss.
double most_used(const Figure& figure, double part) {
  const Measurement one = measured(figure);
  double most = 0;
  for (int code = 0; code < 5 * 5 * 5 * 5 * 5 * 64; ++code) {
    int left = code;
    const auto next = [&](int of) {
      const int found = left % of;
      left /= of;
      return found;
    };
    const auto side = [&] { return next(2) == 0 ? -part / 2 : part / 2; };
    Rows x{}, y{};
    x = {1.0, 1.0 + 1.5 * next(5), 1.0 + 1.5 * next(5)};
    y = {1.25 + 0.25 * next(5), 1.5 + 0.25 * next(5), 1.75 + 0.25 * next(5)};
    const Rows u = x, v = y;
    for (double& value : x) value += side() * of_x * 0.999;
    for (double& value : y) value += side() * of_y * 0.999;
    if (!(products(u, u) > 0 && products(v, v) > 0 && products(x, x) > 0 && products(y, y) > 0)) continue;
    EXPECT_EQ(rounded(x, of_x), u);
    const double told = relation(figure, u, v), exact = relation(figure, x, y);
    const interval::Interval found = widened_relation(one, {told, told}, {deviation(u), deviation(v), 3});
    const double end = exact > told ? found.high : found.low;
    if (std::abs(exact - told) > 1e-12) most = std::max(most, end == told ? HUGE_VAL : (exact - told) / (end - told));
  }
  return most;
}

// What is allowed for is attained within a third, and for a slope within a half, where three terms do not all add up.
TEST(RoundedRelation, LiesInTheWidenedInterval) {
  for (const auto& [figure, least] : {std::pair{Pair::slope, 0.3},
                                      {Pair::intercept, 0.1},
                                      {Pair::correlation, 0.3},
                                      {Pair::determination, 0.3},
                                      {Pair::squares_x, 0.6},
                                      {Pair::squares_y, 0.6},
                                      {Pair::products, 0.3}}) {
    const double used = most_used(figure, 1);
    EXPECT_LE(used, 1) << name_of(figure);
    EXPECT_GE(used, least) << name_of(figure);
  }
}

TEST(RoundedRelation, IsAnythingWhereXMayHardlyDiffer) {
  const interval::Interval slope = widened_relation(measured(Pair::slope), {1, 1}, {0.25, 1, 3});
  EXPECT_EQ(slope.low, -steepest);
  EXPECT_EQ(slope.high, steepest);
  const interval::Interval r = widened_relation(measured(Pair::correlation), {0.9, 0.9}, {0.25, 1, 3});
  EXPECT_EQ(r.low, -1);
  EXPECT_EQ(r.high, 1);
}

TEST(RoundedRelation, IsWhatItWasOnADeclaredGrid) {
  Measurement one = measured(Pair::slope);
  one.is_rounded = one.paired->is_rounded = false;
  EXPECT_FALSE(is_rounded_relation(one));
  EXPECT_TRUE(is_rounded_relation(measured(Pair::slope)));
  EXPECT_FALSE(is_rounded_relation(measured(Pair::mean_x)));  // which rounding.cpp widens
}

}  // namespace
}  // namespace vernier::plan
