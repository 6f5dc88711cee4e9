#include "vernier/query/expression/span.hpp"

#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "vernier/query/value.hpp"

namespace vernier::query {
namespace {

using Spans = std::function<IntegerSpan(IntegerSpan, IntegerSpan)>;
using Values = std::function<std::optional<Int128>(Int128, Int128)>;

// Over all spans with ends in -4 to 4: every value lies in the span.
void expect_holds_every_value(const Spans& span_of, const Values& value_of) {
  for (int a = -4; a <= 4; ++a) {
    for (int b = a; b <= 4; ++b) {
      for (int c = -4; c <= 4; ++c) {
        for (int d = c; d <= 4; ++d) {
          const IntegerSpan span = span_of({a, b}, {c, d});
          for (int x = a; x <= b; ++x) {
            for (int y = c; y <= d; ++y) {
              const std::optional<Int128> value = value_of(x, y);
              ASSERT_TRUE(!value || (span.lower <= *value && *value <= span.upper)) << x << ' ' << y;
            }
          }
        }
      }
    }
  }
}

TEST(Span, OfIntegersHoldsEveryResult) {
  const auto divided = [](auto operation) {
    return [=](Int128 x, Int128 y) { return y == 0 ? std::nullopt : std::optional<Int128>(operation(x, y)); };
  };
  expect_holds_every_value([](auto a, auto b) { return *sum(a, b); }, [](auto x, auto y) { return x + y; });
  expect_holds_every_value([](auto a, auto b) { return *difference(a, b); }, [](auto x, auto y) { return x - y; });
  expect_holds_every_value([](auto a, auto b) { return *product(a, b); }, [](auto x, auto y) { return x * y; });
  expect_holds_every_value(truncated_quotient, divided([](Int128 x, Int128 y) { return x / y; }));
  expect_holds_every_value([](auto a, auto b) { return remainder(a, b); },
                           divided([](Int128 x, Int128 y) { return x % y; }));
  expect_holds_every_value([](auto a, auto) { return magnitude(a); }, [](auto x, auto) { return x < 0 ? -x : x; });
}

TEST(Span, OfProductsAndSumsIsExactAtItsEnds) {
  EXPECT_EQ(*product(IntegerSpan{-3, 2}, {-5, 4}), (IntegerSpan{-12, 15}));
  EXPECT_EQ(*sum(IntegerSpan{-3, 2}, {-5, 4}), (IntegerSpan{-8, 6}));
  EXPECT_EQ(magnitude(IntegerSpan{-7, -2}), (IntegerSpan{2, 7}));
  EXPECT_EQ(remainder({0, 100}, {1, 10}), (IntegerSpan{0, 9}));
}

TEST(Span, OfMoreThanThirtyEightDigitsIsNone) {
  const IntegerSpan huge{0, greatest_integer()};
  EXPECT_TRUE(sum(huge, {0, 0}));
  EXPECT_FALSE(sum(huge, {0, 1}));
  EXPECT_FALSE(difference(negated(huge), {0, 1}));
  EXPECT_FALSE(product(huge, {0, 2}));
  EXPECT_FALSE(product(huge, huge));
  EXPECT_TRUE(product(any_integer, any_integer));
}

TEST(Span, OfRealsIsWhatRoundedArithmeticGivesAtTheEnds) {
  EXPECT_EQ(sum(RealSpan{0.1, 0.2}, RealSpan{0.2, 0.7}), (RealSpan{0.1 + 0.2, 0.2 + 0.7}));
  EXPECT_EQ(product(RealSpan{-2, 3}, RealSpan{-5, 4}), (RealSpan{-15, 12}));
  EXPECT_EQ(quotient(RealSpan{1, 6}, RealSpan{2, 3}), (RealSpan{1.0 / 3, 3}));
  EXPECT_FALSE(is_within_reals(quotient({1, 6}, {-1, 3})));
  EXPECT_FALSE(is_within_reals(product(any_real, {0, 2})));
}

TEST(Span, OfWideIntegersMovesOutwardAsReals) {
  const IntegerSpan wide{-greatest_integer(), greatest_integer()};
  EXPECT_LT(to_real(wide).lower, -1e38);
  EXPECT_GT(to_real(wide).upper, 1e38);
  EXPECT_EQ(to_real({-5, 7}), (RealSpan{-5, 7}));
}

TEST(Calendar, EndsWhereFourDigitYearsEnd) {
  EXPECT_EQ(first_day, *Day::of(1, 1, 1));
  EXPECT_EQ(last_day, *Day::of(9999, 12, 31));
  EXPECT_EQ(year_of(first_day), 1);
  EXPECT_EQ(year_of(last_day), 9999);
  EXPECT_EQ(year_of(Day{-1}), 1969);
}

}  // namespace
}  // namespace vernier::query
