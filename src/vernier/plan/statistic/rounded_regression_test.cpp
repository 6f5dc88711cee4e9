#include "vernier/plan/statistic/rounded_regression.hpp"

#include <array>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace vernier::plan {
namespace {

// x1 in [0, 8] in steps of 0.5, x2 in [-2, 2] in steps of 0.25, y in [1, 3] in steps of 0.25.
Measurement measured(const Figure& figure) {
  Measurement made{};
  made.kind = Regression::kind;
  made.figure = figure;
  made.granularity = 0.25, made.origin = 4, made.steps = 8;
  made.is_rounded = true;
  made.regressors = {PairedGrid{0.5, 0, 16, true}, PairedGrid{0.25, -8, 16, true}};
  return made;
}

constexpr std::size_t rows = 6;
using Column = std::array<double, rows>;
struct Table {
  Column x1, x2, y;
};

double mean(const Column& of) {
  double sum = 0;
  for (const double one : of) sum += one / rows;
  return sum;
}
double product(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < rows; ++i) sum += (a[i] - mean(a)) * (b[i] - mean(b)) / rows;
  return sum;
}

struct Line {
  double intercept, first, second, deviation, explained;

  explicit Line(const Table& t) {
    const double a = product(t.x1, t.x1), b = product(t.x1, t.x2), c = product(t.x2, t.x2);
    const double u = product(t.x1, t.y), v = product(t.x2, t.y), all = product(t.y, t.y);
    first = (c * u - b * v) / (a * c - b * b), second = (a * v - b * u) / (a * c - b * b);
    intercept = mean(t.y) - first * mean(t.x1) - second * mean(t.x2);
    const double left = std::max(all - first * u - second * v, 0.0);
    deviation = std::sqrt(left * rows / (rows - 3.0));
    explained = 1 - left / all;
  }
  double of(const Figure& figure) const {
    if (figure == Regression::coefficients[0]) return first;
    if (figure == Regression::coefficients[1]) return second;
    if (figure == Regression::residual_deviation) return deviation;
    return figure == Regression::explained ? explained : intercept;
  }
};

// Exact, in half ranges: the least eigenvalue of x, and y.
KnownScatter scatter_of(const Table& t) {
  const double a = product(t.x1, t.x1) / 16, b = product(t.x1, t.x2) / 8, c = product(t.x2, t.x2) / 4;
  const double least = (a + c) / 2 - std::sqrt((a - c) * (a - c) / 4 + b * b);
  return {std::sqrt(std::max(least, 0.0)), std::sqrt(product(t.y, t.y)), std::sqrt(product(t.y, t.y)), 0};
}

Estimate exactly(double told) {
  Estimate made{};
  made.value = told, made.interval = {told, told}, made.informative = true;
  return made;
}

// Of random tables, whose values lie nearly half a step from their steps: the greatest part of what is allowed for that
// one uses up; above 1 is a miss.
double most_used(const Figure& figure) {
  std::mt19937_64 random(3);
  const auto step = [&](int most) { return static_cast<double>(random() % static_cast<unsigned>(most + 1)); };
  const auto side = [&] { return random() % 2 == 0 ? -0.499 : 0.499; };
  const auto inside = [](double value, double low, double high) { return std::clamp(value, low, high); };
  double most = 0;
  for (int trial = 0; trial < 40'000; ++trial) {
    Table steps{}, values{};
    for (std::size_t i = 0; i < rows; ++i) {
      steps.x1[i] = 0.5 * step(16), steps.x2[i] = -2 + 0.25 * step(16), steps.y[i] = 1 + 0.25 * step(8);
      values.x1[i] = inside(steps.x1[i] + 0.5 * side(), 0, 8);
      values.x2[i] = inside(steps.x2[i] + 0.25 * side(), -2, 2);
      values.y[i] = inside(steps.y[i] + 0.25 * side(), 1, 3);
    }
    if (!(product(steps.y, steps.y) > 0 && scatter_of(steps).least_x > 0.3)) continue;
    const double told = Line(steps).of(figure), exact = Line(values).of(figure);
    const Estimate found = widened_regression(measured(figure), exactly(told), scatter_of(steps));
    const double end = exact > told ? found.interval.high : found.interval.low;
    if (std::abs(exact - told) > 1e-12) most = std::max(most, end == told ? HUGE_VAL : (exact - told) / (end - told));
  }
  return most;
}

// The bounds are for the worst direction and the worst values at once, so that few tables come near them.
TEST(RoundedRegression, LiesInTheWidenedInterval) {
  for (const Figure& figure : {Regression::coefficients[0], Regression::coefficients[1], Regression::constant,
                               Regression::residual_deviation, Regression::explained}) {
    const double used = most_used(figure);
    EXPECT_LE(used, 1) << name_of(figure);
    EXPECT_GE(used, 0.2) << name_of(figure);
  }
}

TEST(RoundedRegression, IsAnythingWhereXMayHardlyDiffer) {
  const Estimate told = exactly(1);
  const KnownScatter nothing{0.01, 0.5, 0.5, 0};
  EXPECT_FALSE(widened_regression(measured(Regression::coefficients[0]), told, nothing).informative);
  EXPECT_EQ(widened_regression(measured(Regression::explained), told, nothing).interval.low, 0);
  EXPECT_GE(widened_regression(measured(Regression::residual_deviation), told, nothing).interval.high, 2);
}

// Of two columns of four rows: eigenvalues of steps and of values.
TEST(RoundedRegression, HoldsComponents) {
  std::mt19937_64 random(4);
  const auto side = [&] { return random() % 2 == 0 ? -0.499 : 0.499; };
  Measurement one = measured(Regression::variances[0]);
  one.regressors = {PairedGrid{0.5, 0, 16, true}};
  const auto eigenvalues = [](const Column& x, const Column& y) {
    const double n = rows / (rows - 1.0), a = product(x, x) * n, b = product(x, y) * n, c = product(y, y) * n;
    const double root = std::sqrt((a - c) * (a - c) / 4 + b * b);
    return std::array{(a + c) / 2 + root, std::max((a + c) / 2 - root, 0.0)};
  };
  double most = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    Column u{}, v{}, x{}, y{};
    for (std::size_t i = 0; i < rows; ++i) {
      u[i] = 0.5 * static_cast<double>(random() % 17), v[i] = 1 + 0.25 * static_cast<double>(random() % 9);
      x[i] = u[i] + 0.5 * side(), y[i] = v[i] + 0.25 * side();
    }
    const auto steps = eigenvalues(u, v), values = eigenvalues(x, y);
    for (std::size_t k = 0; k < 2; ++k) {
      for (const bool is_share : {false, true}) {
        one.figure = is_share ? Regression::shares[k] : Regression::variances[k];
        const double by = is_share ? steps[0] + steps[1] : 1, of = is_share ? values[0] + values[1] : 1;
        const double told = steps[k] / by, exact = values[k] / of;
        const auto found = widened_regression(one, exactly(told), {0, 0, 1, steps[0]});
        EXPECT_LE(found.interval.low, exact);
        EXPECT_GE(found.interval.high, exact);
        if (!is_share) most = std::max(most, (exact - told) / (found.interval.high - told));
      }
    }
  }
  EXPECT_GT(most, 0.3);
}

TEST(RoundedRegression, IsWhatItWasOnADeclaredGrid) {
  Measurement one = measured(Regression::constant);
  EXPECT_TRUE(is_rounded_regression(one));
  one.is_rounded = one.regressors[0].is_rounded = one.regressors[1].is_rounded = false;
  EXPECT_FALSE(is_rounded_regression(one));
}

}  // namespace
}  // namespace vernier::plan
