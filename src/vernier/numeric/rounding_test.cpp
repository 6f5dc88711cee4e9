#include "vernier/numeric/rounding.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::numeric {
namespace {

constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double greatest = std::numeric_limits<double>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

bool equal_or_neighbours(double down, double up) { return down == up || std::nextafter(down, infinity) == up; }

// Extremes first, then doubles of every size: random bit patterns, and pairs close in size.
std::vector<double> arguments(int count) {
  std::vector<double> values = {0, 1, -1, 0.1, 3, least, -least, greatest, -greatest, 0x1p-1022, 0x1p-53, 1 + 0x1p-52};
  std::mt19937_64 bits(7);
  while (static_cast<int>(values.size()) < count) {
    const double any = std::bit_cast<double>(bits());
    if (std::isfinite(any)) values.push_back(any);
    values.push_back(static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-62);
  }
  return values;
}

Rational exact(double value) { return *Rational::of(value); }

void expect_around(const Rational& truth, double down, double up, double a, double b) {
  if (std::isfinite(down)) {
    EXPECT_LE(exact(down), truth) << a << " and " << b;
  }
  if (std::isfinite(up)) {
    EXPECT_GE(exact(up), truth) << a << " and " << b;
  }
  EXPECT_NE(down, infinity);
  EXPECT_NE(up, -infinity);
  EXPECT_TRUE(equal_or_neighbours(down, up)) << down << " to " << up;
  const bool is_double = std::isfinite(down) && down == up;
  if (is_double) {
    EXPECT_EQ(exact(down), truth);
  }
}

TEST(Rounding, OfTheFourOperationsHoldsTheExactRationalBetweenNeighbours) {
  const std::vector<double> values = arguments(400);
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (const std::size_t j : {i, (i + 1) % values.size(), (7 * i + 3) % values.size()}) {
      const double a = values[i];
      const double b = values[j];
      expect_around(exact(a) + exact(b), add_down(a, b), add_up(a, b), a, b);
      expect_around(exact(a) - exact(b), subtract_down(a, b), subtract_up(a, b), a, b);
      expect_around(exact(a) * exact(b), multiply_down(a, b), multiply_up(a, b), a, b);
      if (b != 0) expect_around(*quotient(exact(a), exact(b)), divide_down(a, b), divide_up(a, b), a, b);
    }
  }
}

TEST(Rounding, OfTheSquareRootHoldsTheExactRootBetweenNeighbours) {
  for (const double value : arguments(400)) {
    const double a = std::abs(value);
    EXPECT_LE(exact(sqrt_down(a)) * exact(sqrt_down(a)), exact(a));
    EXPECT_GE(exact(sqrt_up(a)) * exact(sqrt_up(a)), exact(a));
    EXPECT_TRUE(equal_or_neighbours(sqrt_down(a), sqrt_up(a))) << a;
  }
}

struct Function {
  double (*down)(double);
  double (*up)(double);
  Ball (*ball)(const Ball&);
  double first, last;  // where it is tested
};

const Function functions[] = {{exp_down, exp_up, exp, -800, 800},
                              {expm1_down, expm1_up, expm1, -800, 800},
                              {log_down, log_up, log, least, greatest},
                              {log1p_down, log1p_up, log1p, -0.999, greatest}};

// The ball at 1200 bits decides every comparison: certainly not above, certainly not below.
void expect_around(const Function& function, double a) {
  const Precision fine{1200};
  const Ball truth = function.ball(Ball::of(a, fine));
  const double down = function.down(a);
  const double up = function.up(a);
  if (std::isfinite(down)) {
    EXPECT_EQ(less(truth, Ball::of(down, fine)), false) << a;
  }
  if (std::isfinite(up)) {
    EXPECT_EQ(less(Ball::of(up, fine), truth), false) << a;
  }
  EXPECT_TRUE(equal_or_neighbours(down, up)) << down << " to " << up << " at " << a;
}

TEST(Rounding, OfExpAndLogHoldsTheTruthBetweenNeighbours) {
  std::mt19937_64 bits(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (const Function& function : functions) {
    for (const double value : arguments(300)) {
      if (value >= function.first && value <= function.last) expect_around(function, value);
    }
    for (int i = 0; i < 300; ++i) {
      const double spread = std::min(function.last, 800.0) - function.first;
      expect_around(function, function.first + spread * uniform(bits));
    }
  }
}

TEST(Rounding, KeepsItsDirectionWhereDoublesEnd) {
  EXPECT_EQ(exp_up(-1e6), least);
  EXPECT_EQ(exp_down(-1e6), 0);
  EXPECT_EQ(exp_up(-1e300), least);
  EXPECT_EQ(exp_down(1e6), greatest);
  EXPECT_EQ(exp_up(1e6), infinity);
  EXPECT_EQ(exp_down(1e300), greatest);
  EXPECT_EQ(multiply_up(least, 0.25), least);
  EXPECT_EQ(multiply_down(least, 0.25), 0);
  EXPECT_EQ(multiply_down(-least, 0.25), -least);
  EXPECT_EQ(add_down(greatest, 1), greatest);
  EXPECT_EQ(add_up(greatest, 1), infinity);
  EXPECT_EQ(divide_up(least, greatest), least);
  EXPECT_EQ(expm1_down(-1e6), -1);
  EXPECT_EQ(expm1_up(-1e6), std::nextafter(-1, 0));
}

TEST(Rounding, SaysNanWhereThereIsNoResult) {
  EXPECT_TRUE(std::isnan(log_up(-1)));
  EXPECT_TRUE(std::isnan(divide_down(0, 0)));
  EXPECT_TRUE(std::isnan(sqrt_up(-1)));
  EXPECT_TRUE(std::isnan(add_up(std::numeric_limits<double>::quiet_NaN(), 1)));
}

TEST(Rounding, DoesNotListenToTheRoundingModeOfTheProcessor) {
  const std::vector<double> values = arguments(60);
  const auto results = [&] {
    std::vector<std::uint64_t> all;
    for (const double a : values) {
      for (const double result : {add_up(a, 0.1), multiply_down(a, 0.1), divide_up(a, 3), exp_up(a), log1p_down(a)}) {
        all.push_back(std::bit_cast<std::uint64_t>(result));
      }
    }
    return all;
  };
  const auto nearest = results();
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ASSERT_EQ(std::fesetround(mode), 0);
    const auto directed = results();
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(directed, nearest) << "mode " << mode;
  }
}

}  // namespace
}  // namespace vernier::numeric
