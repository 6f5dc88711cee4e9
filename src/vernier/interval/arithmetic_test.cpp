#include "vernier/interval/arithmetic.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace vernier::interval {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// What an operation of reals is: NaN where it is not defined.
using Exact = double (*)(double, double);
using Bounds = Known (*)(const Known&, const Known&);

double truth(bool holds) { return holds ? 1 : 0; }

struct Pair {
  const char* name;
  Exact exact;
  Bounds bounds;
};

const std::vector<Pair>& pairs() {
  static const std::vector<Pair> all = {
      {"add", [](double x, double y) { return x + y; }, add},
      {"subtract", [](double x, double y) { return x - y; }, subtract},
      {"multiply", [](double x, double y) { return x * y; }, multiply},
      {"divide", [](double x, double y) { return y == 0 ? nan : x / y; }, divide},
      {"divide_truncated", [](double x, double y) { return y == 0 ? nan : std::trunc(x / y); }, divide_truncated},
      {"least", [](double x, double y) { return std::fmin(x, y); }, least},
      {"greatest", [](double x, double y) { return std::fmax(x, y); }, greatest},
      {"null_if", [](double x, double y) { return x == y ? nan : x; }, null_if},
      {"equal", [](double x, double y) { return truth(x == y); }, equal},
      {"less", [](double x, double y) { return truth(x < y); }, less},
      {"less_equal", [](double x, double y) { return truth(x <= y); }, less_equal},
      {"negate", [](double x, double) { return -x; }, [](const Known& a, const Known&) { return negate(a); }},
      {"absolute", [](double x, double) { return std::abs(x); },
       [](const Known& a, const Known&) { return absolute(a); }},
      {"floor", [](double x, double) { return std::floor(x); }, [](const Known& a, const Known&) { return floor(a); }},
      {"ceil", [](double x, double) { return std::ceil(x); }, [](const Known& a, const Known&) { return ceil(a); }},
      {"truncate", [](double x, double) { return std::trunc(x); },
       [](const Known& a, const Known&) { return truncate(a); }},
      {"round", [](double x, double) { return rounded_at(x, 1); },
       [](const Known& a, const Known&) { return round(a, 1); }},
      {"tens", [](double x, double) { return rounded_at(x, -1); },
       [](const Known& a, const Known&) { return round(a, -1); }},
      {"square_root", [](double x, double) { return x < 0 ? nan : std::sqrt(x); },
       [](const Known& a, const Known&) { return square_root(a); }},
      {"exponential", [](double x, double) { return std::exp(x); },
       [](const Known& a, const Known&) { return exponential(a); }},
      {"logarithm", [](double x, double) { return x <= 0 ? nan : std::log(x); },
       [](const Known& a, const Known&) { return logarithm(a); }},
      {"log10", [](double x, double) { return x <= 0 ? nan : std::log10(x); },
       [](const Known& a, const Known&) { return logarithm(a, 10); }},
      {"square", [](double x, double) { return x * x; }, [](const Known& a, const Known&) { return power(a, 2); }},
      {"cube", [](double x, double) { return x * x * x; }, [](const Known& a, const Known&) { return power(a, 3); }},
      {"inverse", [](double x, double) { return x == 0 ? nan : 1 / x; },
       [](const Known& a, const Known&) { return power(a, -1); }},
      {"half", [](double x, double) { return x < 0 ? nan : std::pow(x, 0.5); },
       [](const Known& a, const Known&) { return power(a, 0.5); }},
  };
  return all;
}

bool holds(const Known& known, double x) {
  if (std::isnan(x)) return known.may_be_undefined;
  const double slack = 1e-12 * std::abs(x);  // of libm and of the plain operations of this test
  return known.low - slack <= x && x <= known.high + slack && (!known.is_whole || x == std::floor(x));
}

Known around(std::mt19937_64& draws, bool is_whole) {
  std::uniform_int_distribution<int> ends(-4, 4);
  double low = ends(draws), high = low + std::abs(ends(draws));
  if (!is_whole) low += 0.25 * ends(draws), high = std::max(low, high + 0.25 * ends(draws));
  return {low, high, is_whole};
}

double inside(std::mt19937_64& draws, const Known& known) {
  const double x = std::uniform_real_distribution(known.low, std::nextafter(known.high, infinite))(draws);
  const int corner = std::uniform_int_distribution(0, 3)(draws);
  const double chosen = corner == 0 ? known.low : corner == 1 ? known.high : std::min(x, known.high);
  return known.is_whole ? std::floor(chosen) : chosen;
}

// Every operation, of whole and real numbers, with 0 inside, at an end and outside.
TEST(IntervalArithmetic, HoldsWhateverTheNumbersAre) {
  std::mt19937_64 draws(7);
  for (int trial = 0; trial < 4000; ++trial) {
    const Known a = around(draws, trial % 2 == 0), b = around(draws, trial % 3 == 0);
    const double x = inside(draws, a), y = inside(draws, b);
    for (const Pair& pair : pairs()) {
      const Known known = pair.bounds(a, b);
      ASSERT_TRUE(holds(known, pair.exact(x, y)))
          << pair.name << " of " << x << " in [" << a.low << ", " << a.high << "] and " << y << " in [" << b.low << ", "
          << b.high << "] gave [" << known.low << ", " << known.high << "]";
    }
  }
}

TEST(IntervalArithmetic, IsTightWhereItCanBe) {
  EXPECT_EQ(add({1, 2, true}, {10, 20, true}), (Known{11, 22, true}));
  EXPECT_EQ(multiply({-1, 2}, {3, 4}), (Known{-4, 8}));
  EXPECT_EQ(divide({6, 12, true}, {2, 3, true}), (Known{2, 6}));
  EXPECT_EQ(absolute({-3, 2}), (Known{0, 3}));
  EXPECT_NEAR(round({1.26, 1.34}, 1).low, 1.3, 1e-15);
  EXPECT_LE(round({1.26, 1.34}, 1).low, 1.3);
}

TEST(IntervalArithmetic, AWholeDivisorThatIsNotZeroIsOneOrMore) {
  EXPECT_EQ(divide({6, 12}, {0, 3, true}), (Known{2, 12, false, true}));
  EXPECT_EQ(divide({6, 12}, {-2, 3, true}), (Known{-12, 12, false, true}));
  EXPECT_EQ(divide({6, 12}, {0, 0, true}).may_be_undefined, true);
}

TEST(IntervalArithmetic, ARealDivisorAroundZeroSaysNothing) {
  EXPECT_EQ(divide({1, 2}, {-1, 1}), (Known{-infinite, infinite, false, true}));
  EXPECT_EQ(divide({1, 2}, {0, 4}), (Known{0.25, infinite, false, true}));
  EXPECT_EQ(divide({-2, -1}, {0, 4}), (Known{-infinite, -0.25, false, true}));
}

TEST(IntervalArithmetic, ThreeValuedLogicKeepsWhatIsPossible) {
  const Known yes{1, 1, true}, no{0, 0, true}, either{0, 1, true}, null{1, 1, true, true};
  EXPECT_EQ(logical_and(yes, either), either);
  EXPECT_EQ(logical_and(no, either), no);
  EXPECT_EQ(logical_or(yes, no), yes);
  EXPECT_TRUE(logical_and(null, yes).may_be_undefined);
  EXPECT_EQ(choose(either, {1, 2}, {5, 6}), (Known{1, 6}));
  EXPECT_EQ(choose(yes, {1, 2}, {5, 6}), (Known{1, 2}));
  EXPECT_EQ(coalesce({1, 2, false, true}, {0, 0}), (Known{0, 2}));
  EXPECT_EQ(coalesce({1, 2}, {0, 0}), (Known{1, 2}));
}

}  // namespace
}  // namespace vernier::interval
