#include "vernier/numeric/double_double.hpp"

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::numeric {
namespace {

Rational exact(double a) { return Rational::of(a).value(); }
Rational exact(const DoubleDouble& a) { return exact(a.hi) + exact(a.lo); }
Rational size(const Rational& a) { return a < Rational::of(0) ? -a : a; }

// A double of either sign, of any size between 1e-60 and 1e60.
double any_double(test::Parameters& any) { return (any.uniform(-1, 1) < 0 ? -1 : 1) * any.log_uniform(1e-60, 1e60); }

DoubleDouble any_pair(test::Parameters& any) {
  const double hi = any_double(any);
  return quick_two_sum(hi, hi * 0x1p-53 * any.uniform(-1, 1));
}

TEST(DoubleDouble, KeepsWhatRoundingTakesAway) {
  test::Parameters any(41);
  for (int i = 0; i < 2000; ++i) {
    const double a = any_double(any);
    const double b = i % 2 == 0 ? any_double(any) : -a * any.uniform(0.4, 2.1);
    EXPECT_TRUE(exact(two_sum(a, b)) == exact(a) + exact(b)) << a << " " << b;
    EXPECT_TRUE(exact(two_product(a, b)) == exact(a) * exact(b)) << a << " " << b;
    const double small = a * any.uniform(-1, 1);
    EXPECT_TRUE(exact(quick_two_sum(a, small)) == exact(a) + exact(small)) << a << " " << small;
  }
}

TEST(DoubleDouble, HasProductsSumsAndQuotientsWithinTheirBounds) {
  test::Parameters any(42);
  const Rational u2 = exact(0x1p-106);
  for (int i = 0; i < 2000; ++i) {
    const DoubleDouble a = any_pair(any);
    const DoubleDouble b = any_pair(any);
    const double c = i % 2 == 0 ? any_double(any) : -a.hi * any.uniform(0.4, 2.1);
    const Rational product_error = exact(product(a, c)) - exact(a) * exact(c);
    EXPECT_TRUE(size(product_error) <= Rational::of(4) * u2 * size(exact(a) * exact(c))) << a.hi << " " << c;
    const Rational sum_error = exact(sum(a, c)) - (exact(a) + exact(c));
    EXPECT_TRUE(size(sum_error) <= Rational::of(2) * u2 * (size(exact(a)) + size(exact(c)))) << a.hi << " " << c;
    const Rational remainder = exact(quotient(a, b)) * exact(b) - exact(a);
    EXPECT_TRUE(size(remainder) <= exact(quotient_error) * size(exact(a))) << a.hi << " " << b.hi;
  }
}

}  // namespace
}  // namespace vernier::numeric
