#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accounting/adaptive.hpp"
#include "vernier/accounting/optimal.hpp"

namespace vernier::accounting {
namespace {

using numeric::Rational;

Rational decimal(std::string_view text) { return *Rational::of_decimal(text); }
bool spends(Filter& filter, std::vector<Rational> amounts) { return filter.spend(amounts).has_value(); }

// Ten times 0.1 is exactly 1, in decimals; in doubles it would not be.
TEST(Filter, SpendsABudgetToTheLastBit) {
  Filter filter = *pure_filter(decimal("1"));
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(spends(filter, {decimal("0.1")})) << i;
  EXPECT_EQ(filter.left(0), Rational::of(0));
  EXPECT_FALSE(spends(filter, {decimal("1e-5000")}));
  EXPECT_TRUE(spends(filter, {decimal("0")}));
}

TEST(Filter, ChangesNothingWhenItRefuses) {
  Filter filter = *approximate_filter(decimal("1"), decimal("1e-6"));
  ASSERT_TRUE(spends(filter, {decimal("0.25"), decimal("1e-7")}));
  EXPECT_FALSE(spends(filter, {decimal("0.1"), decimal("1e-6")}));   // delta alone is too much
  EXPECT_FALSE(spends(filter, {decimal("0.8"), decimal("1e-9")}));   // epsilon alone is too much
  EXPECT_FALSE(spends(filter, {decimal("-0.1"), decimal("1e-9")}));  // nothing is given back
  EXPECT_FALSE(spends(filter, {decimal("0.1")}));
  EXPECT_EQ(filter.spent()[0], decimal("0.25"));
  EXPECT_EQ(filter.spent()[1], decimal("1e-7"));
  EXPECT_TRUE(spends(filter, {decimal("0.75"), decimal("9e-7")}));
}

TEST(Filter, TellsWhatIsLeft) {
  Filter filter = *zcdp_filter(decimal("0.5"), decimal("0"));
  ASSERT_TRUE(spends(filter, {decimal("0.375"), decimal("0")}));
  const auto refused = filter.spend(std::array{decimal("0.25"), decimal("0")});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(refused.error().sentence(),
            "this release would spend 0.25 of rho, but 0.125 of 0.5 is left; spend less, or stop here");
}

TEST(Filter, ChecksWithoutSpending) {
  const Filter filter = *gaussian_filter(decimal("4"));
  EXPECT_TRUE(filter.check(std::array{decimal("4")}));
  EXPECT_TRUE(filter.check(std::array{decimal("4")}));
  EXPECT_FALSE(filter.check(std::array{decimal("4.1")}));
}

TEST(Filter, StopsWhereAnyOrderWouldBeExceeded) {
  const std::array caps{RenyiCap{2, decimal("1")}, RenyiCap{16, decimal("3")}};
  Filter filter = *rdp_filter(caps);
  EXPECT_TRUE(spends(filter, {decimal("0.1"), decimal("2.9")}));
  const auto refused = filter.spend(std::array{decimal("0.1"), decimal("0.2")});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("order 16"), std::string::npos) << refused.error().sentence();
  EXPECT_TRUE(spends(filter, {decimal("0.9"), decimal("0.1")}));
}

TEST(Filter, NamesItsTheorem) {
  EXPECT_NE(pure_filter(decimal("1"))->theorem().find("Rogers"), std::string_view::npos);
  EXPECT_NE(zcdp_filter(decimal("1"), decimal("0"))->theorem().find("Whitehouse"), std::string_view::npos);
  EXPECT_NE(rdp_filter(std::array{RenyiCap{2, decimal("1")}})->theorem().find("every order"), std::string_view::npos);
  EXPECT_NE(gaussian_filter(decimal("1"))->theorem().find("Smith"), std::string_view::npos);
}

TEST(Filter, RefusesCapsThatAreNone) {
  EXPECT_FALSE(Filter::of("none", {}));
  EXPECT_FALSE(pure_filter(decimal("-1")));
  EXPECT_FALSE(rdp_filter({}));
  EXPECT_FALSE(rdp_filter(std::array{RenyiCap{1, decimal("1")}}));
}

// Doubles of all sizes, by hand and by the filter: it passes exactly where the exact sum is within the cap.
TEST(Filter, IsExactForDoubles) {
  test::Parameters any(541);
  Filter filter = *gaussian_filter(decimal("100"));
  Rational sum = Rational::of(0);
  for (int i = 0; i < 5000; ++i) {
    const Rational amount = *Rational::of(any.log_uniform(1e-12, 10));
    const bool fits = sum + amount <= decimal("100");
    EXPECT_EQ(spends(filter, {amount}), fits);
    if (fits) sum = sum + amount;
    ASSERT_EQ(filter.spent()[0], sum);
  }
}

// How much longer the last thousand of ten thousand spends takes than the first, the best of five runs of each.
template <class MakeSpend>
double growth_of_cost(const MakeSpend& make_spend) {
  double first = 1e9, last = 1e9;
  for (int run = 0; run < 5; ++run) {
    test::Parameters any(542);
    auto spend = make_spend();
    for (int thousand = 0; thousand < 10; ++thousand) {
      const std::clock_t begin = std::clock();
      for (int i = 0; i < 1000; ++i) spend(*Rational::of(any.log_uniform(1e-12, 1e-3)));
      const double ticks = static_cast<double>(std::clock() - begin);
      if (thousand == 0) first = std::min(first, ticks);
      if (thousand == 9) last = std::min(last, ticks);
    }
  }
  return last / first;
}

// A filter that adds up its history at each spend, even only every hundredth entry, takes many times as long in the
// end.
TEST(SlowFilter, CostsTheSameAtTheEndAsAtTheBeginning) {
  const auto filter = [] {
    return [spent = *zcdp_filter(decimal("100"), decimal("0"))](const Rational& rho) mutable {
      ASSERT_TRUE(spends(spent, {rho, decimal("0")}));
    };
  };
  const auto adding_up_again = [] {
    return [history = std::vector<Rational>()](const Rational& rho) mutable {
      history.push_back(rho);
      Rational sum = Rational::of(0);
      for (std::size_t i = 0; i < history.size(); i += 100) sum = sum + history[i];
      ASSERT_LE(sum, decimal("100"));
    };
  };
  EXPECT_LE(growth_of_cost(filter), 2);
  EXPECT_GT(growth_of_cost(adding_up_again), 4);
}

// adaptive.md: each path by itself is within (1, 0.01) as if it had been the plan, and the transcript is not. After the
// first release (losses +0.5 and -0.5) one branch spends on the side that the other leaves free.
TEST(Filter, IsNotMadeOfLossDistributionsSinceThatWouldOverspend) {
  const double e = 0.5, epsilon = 1, delta = 0.01;
  const double plus = 1 / (1 + std::exp(-e));
  const auto response = [](double loss, double at) {
    return std::max(0.0, -std::expm1(at - loss) / (1 + std::exp(-loss)));
  };
  const double loss_a = 0.5258;  // response(loss_a, epsilon - e) is a little below delta / plus
  const Statement first{{e, e}, 0, 1}, a{{loss_a, loss_a}, 0, 1}, b{{1e-9, 1e-9}, delta, 1};
  EXPECT_LE(OptimalComposition::of(std::vector{first, a})->delta(epsilon).upper, delta);
  EXPECT_LE(OptimalComposition::of(std::vector{first, b})->delta(epsilon).upper, (1 + 1e-12) * delta);
  const double transcript = plus * response(loss_a, epsilon - e) + (1 - plus) * delta;
  EXPECT_GE(transcript, 1.35 * delta);
}

}  // namespace
}  // namespace vernier::accounting
