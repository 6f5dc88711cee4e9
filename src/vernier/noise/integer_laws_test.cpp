// What both integer laws must satisfy, at random parameters over their whole domain.
#include <cmath>
#include <ctime>
#include <limits>

#include <gtest/gtest.h>
#include <mpfr.h>

#include "support/brute_sum.hpp"
#include "support/parameters.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double least = std::numeric_limits<double>::denorm_min();

Geometric make(const Geometric*, double scale) { return *Geometric::of(*LaplaceScale::of(scale)); }
DiscreteGaussian make(const DiscreteGaussian*, double scale) { return *DiscreteGaussian::of(*Sigma::of(scale)); }

// How many scales out the tail is about 1e-300.
double reach(const Geometric&) { return 690; }
double reach(const DiscreteGaussian&) { return 37; }

// log weight in MPFR, for sums that share nothing with the laws.
void log_weight(const Geometric& law, long x, mpfr_t out) {
  mpfr_set_si(out, -std::abs(x), MPFR_RNDN);
  mpfr_div_d(out, out, law.scale(), MPFR_RNDN);
}
void log_weight(const DiscreteGaussian& law, long x, mpfr_t out) {
  mpfr_set_si(out, x, MPFR_RNDN);
  mpfr_div_d(out, out, law.scale(), MPFR_RNDN);
  mpfr_sqr(out, out, MPFR_RNDN);
  mpfr_div_si(out, out, -2, MPFR_RNDN);
}

bool overlap(Bounds a, Bounds b) { return a.lower <= b.upper && b.lower <= a.upper; }

// At most 1e-12 apart relatively; below 1e-300 doubles themselves are too coarse for that, and only order is asked for.
void expect_tight(Bounds bounds) {
  EXPECT_LE(bounds.lower, bounds.upper);
  EXPECT_GT(bounds.upper, 0);
  EXPECT_GE(bounds.lower, 0);
  if (bounds.upper > 1e-300) {
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
}

template <class Law>
class IntegerLaws : public testing::Test {
 protected:
  static Law law(double scale) { return make(static_cast<const Law*>(nullptr), scale); }
  static Law any_law(test::Parameters& any) {
    return law(any.log_uniform(least_integer_scale, greatest_integer_scale));
  }
  // Any integer whose tail is above 1e-300, on either side.
  static std::int64_t any_point(const Law& law, test::Parameters& any) {
    const double size = any.uniform(0, 1) < 0.5 ? any.uniform(0, 1) : any.log_uniform(1e-6, 1);
    const double side = any.uniform(-1, 1) < 0 ? -1 : 1;
    return static_cast<std::int64_t>(side * size * reach(law) * law.scale());
  }
};

using Laws = testing::Types<Geometric, DiscreteGaussian>;
TYPED_TEST_SUITE(IntegerLaws, Laws);

TYPED_TEST(IntegerLaws, AgreeWithBruteForceSums) {
  test::Parameters any(21);
  for (int i = 0; i < 15; ++i) {
    const TypeParam law = this->law(any.log_uniform(0.02, 12));
    const auto sum = [&](long first, long last, int power = 0) {
      return test::BruteSum([&](long x, mpfr_t out) { log_weight(law, x, out); }, first, last, power);
    };
    const long end = static_cast<long>(3.2e2 * law.scale()) + 30;  // weights beyond are below 2^-450
    const auto whole = sum(-end, end);
    for (const double part : {0.0, 0.003, 0.02, 0.1}) {
      const long x = static_cast<long>(part * static_cast<double>(end));
      SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " x " << x);
      EXPECT_TRUE(overlap(law.tail(x), sum(x + 1, end).over(whole)));
      EXPECT_TRUE(overlap(law.cumulative(x), sum(-end, x).over(whole)));
      EXPECT_TRUE(overlap(law.mass(x), sum(x, x).over(whole)));
    }
    EXPECT_TRUE(overlap(law.variance(), sum(-end, end, 2).over(whole))) << law.scale();
  }
}

TYPED_TEST(IntegerLaws, HaveTightBoundsOverTheWholeDomain) {
  test::Parameters any(22);
  for (int i = 0; i < 1000; ++i) {
    const TypeParam law = this->any_law(any);
    const std::int64_t x = this->any_point(law, any);
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " x " << x);
    expect_tight(law.mass(x));
    expect_tight(law.tail(x));
    expect_tight(law.cumulative(x));
    expect_tight(law.variance());
  }
}

TYPED_TEST(IntegerLaws, AreSymmetric) {
  test::Parameters any(23);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const std::int64_t x = this->any_point(law, any);
    EXPECT_EQ(law.mass(x), law.mass(-x));
    EXPECT_EQ(law.cumulative(x), law.tail(-x - 1));
    EXPECT_EQ(law.tail(x), law.cumulative(-x - 1));
  }
}

TYPED_TEST(IntegerLaws, GiveOneForCumulativePlusTail) {
  test::Parameters any(24);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const std::int64_t x = this->any_point(law, any);
    EXPECT_LE(numeric::add_down(law.cumulative(x).lower, law.tail(x).lower), 1);
    EXPECT_GE(numeric::add_up(law.cumulative(x).upper, law.tail(x).upper), 1);
    EXPECT_GE(numeric::add_down(law.cumulative(x).lower, law.tail(x).lower), 1 - 1e-15);
  }
}

// A tail that is off by any smooth amount is found here: the differences at 512 bits have more than 300 of them left.
TYPED_TEST(IntegerLaws, HaveMassesThatAreDifferencesOfTails) {
  const Precision fine{512};
  test::Parameters any(25);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const std::int64_t x = this->any_point(law, any);
    const Ball mass = law.weight(x, fine) / law.total(fine);
    const Ball difference = law.tail(x - 1, fine) - law.tail(x, fine);
    EXPECT_TRUE(arb_overlaps(mass.raw(), difference.raw())) << law.scale() << " " << x;
    if (x >= 0 && law.scale() > 1) {
      EXPECT_GT(arb_rel_accuracy_bits(difference.raw()), 300) << law.scale() << " " << x;
    }
  }
}

TYPED_TEST(IntegerLaws, HaveTwoEqualTailsAndAMiddle) {
  const Precision fine{192};
  test::Parameters any(26);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const Ball tails = times_power_of_two(law.tail(0, fine), 1);
    const Ball rest = Ball::of(1, fine) - Ball::of(1, fine) / law.total(fine);
    EXPECT_TRUE(arb_overlaps(tails.raw(), rest.raw())) << law.scale();
    EXPECT_TRUE(arb_overlaps(law.weight(0, fine).raw(), Ball::of(1, fine).raw()));
  }
}

TYPED_TEST(IntegerLaws, HaveMassesThatSumToOne) {
  for (const double scale : {0.001, 0.2, 0.99999, 1.0, 3.7, 8.0, 41.3}) {
    const TypeParam law = this->law(scale);
    const auto end = static_cast<std::int64_t>(3 * scale) + 2;
    double lower = 2 * law.tail(end).lower;
    double upper = 2 * law.tail(end).upper;
    for (std::int64_t x = -end; x <= end; ++x) {
      lower = numeric::add_down(lower, law.mass(x).lower);
      upper = numeric::add_up(upper, law.mass(x).upper);
    }
    EXPECT_LE(lower, 1) << scale;
    EXPECT_GE(upper, 1) << scale;
    EXPECT_LE(upper - lower, 1e-13) << scale;
  }
}

TYPED_TEST(IntegerLaws, HaveTailsInStrictOrder) {
  test::Parameters any(27);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->law(any.log_uniform(0.05, 1e9));
    const std::int64_t x = std::abs(this->any_point(law, any));
    if (law.tail(x).lower > 1e-300) {
      EXPECT_GT(law.tail(x).lower, law.tail(x + 1).upper) << law.scale() << " " << x;
    }
  }
}

TYPED_TEST(IntegerLaws, ReportTheLeastPositiveDoubleForWhatIsBelowIt) {
  const TypeParam narrow = this->law(least_integer_scale);
  EXPECT_EQ(narrow.tail(0), (Bounds{0, least}));
  EXPECT_EQ(narrow.mass(1), (Bounds{0, least}));
  EXPECT_EQ(narrow.variance(), (Bounds{0, least}));
  EXPECT_EQ(narrow.mass(0).upper, 1);
  EXPECT_EQ(narrow.mass(0).lower, std::nextafter(1.0, 0));
  constexpr auto first = std::numeric_limits<std::int64_t>::min();
  constexpr auto last = std::numeric_limits<std::int64_t>::max();
  for (const double scale : {1e-3, 1.0, 8.0, 1e6, 1e9, 1e12}) {
    const TypeParam law = this->law(scale);
    EXPECT_EQ(law.tail(last), (Bounds{0, least}));
    EXPECT_EQ(law.mass(first), (Bounds{0, least}));
    EXPECT_EQ(law.cumulative(first), (Bounds{0, least}));
    EXPECT_EQ(law.cumulative(last), (Bounds{std::nextafter(1.0, 0), 1}));
  }
}

// Certain at 1200 bits: P[X <= q - 1] < p <= P[X <= q].
template <class Law>
void expect_least(const Law& law, double p) {
  SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " p " << p);
  const Precision fine{1200};
  const Result<std::int64_t> q = law.quantile(*Probability::of(p));
  ASSERT_TRUE(q);
  const Ball wanted = Ball::of(p, fine);
  EXPECT_EQ(less(law.tail(~*q, fine), wanted), false);
  EXPECT_EQ(less(law.tail(~(*q - 1), fine), wanted), true);
}

TYPED_TEST(IntegerLaws, HaveTheLeastIntegerAsQuantile) {
  test::Parameters any(28);
  for (int i = 0; i < 60; ++i) {
    const TypeParam law = this->any_law(any);
    expect_least(law, any.log_uniform(1e-300, 0.5));
    expect_least(law, 1 - any.log_uniform(1e-15, 0.5));
    expect_least(law, any.uniform(0, 1));
    expect_least(law, 0.5);
  }
  for (const double scale : {1e-3, 1.0, 1e12}) {
    for (const double p : {least, 1e-310, 1 - 0x1p-53, 0.5 + 0x1p-53, 0.5 - 0x1p-54}) expect_least(this->law(scale), p);
  }
}

// The doubles on either side of P[X <= x] have neighbouring quantiles: the border is found to the last bit.
TYPED_TEST(IntegerLaws, TellNeighbouringProbabilitiesApart) {
  test::Parameters any(29);
  for (int i = 0; i < 60; ++i) {
    const TypeParam law = this->law(any.log_uniform(0.5, 1e4));
    const std::int64_t x = -std::abs(this->any_point(law, any)) / 2;
    const Bounds at = law.cumulative(x);
    ASSERT_LT(at.lower, at.upper);
    EXPECT_EQ(*law.quantile(*Probability::of(at.lower)), x) << law.scale();
    EXPECT_EQ(*law.quantile(*Probability::of(at.upper)), x + 1) << law.scale();
  }
}

TYPED_TEST(IntegerLaws, HaveNoQuantileAtZeroAndOne) {
  const TypeParam law = this->law(3);
  for (const double p : {0.0, 1.0}) {
    EXPECT_EQ(law.quantile(*Probability::of(p)).error().kind, ErrorKind::invalid);
    EXPECT_NE(law.quantile(*Probability::of(p)).error().sentence().find("above 0 and below 1"), std::string::npos);
  }
}

TYPED_TEST(IntegerLaws, HaveTheLeastMarginAsTwoSidedQuantile) {
  test::Parameters any(37);
  for (int i = 0; i < 200; ++i) {
    const TypeParam law = this->any_law(any);
    const double tau = i % 2 == 0 ? any.log_uniform(1e-300, 1) : any.uniform(0, 1);
    const std::int64_t a = *law.two_sided_quantile(*Probability::of(tau));
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " tau " << tau);
    EXPECT_GE(a, 0);
    EXPECT_LE(law.outside(a).lower, tau);
    EXPECT_GE(law.outside(a - 1).upper, tau);
  }
}

TYPED_TEST(IntegerLaws, HaveNoTwoSidedQuantileAtZero) {
  EXPECT_EQ(*this->law(3).two_sided_quantile(*Probability::of(1)), 0);
  const Result<std::int64_t> none = this->law(3).two_sided_quantile(*Probability::of(0));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().sentence(),
            "the probability left outside must be above 0, but it is 0; noise has no greatest value");
}

TYPED_TEST(IntegerLaws, ScaleByPowersOfTwo) {
  const Precision fine{128};
  const TypeParam law = this->law(2.75);
  EXPECT_EQ(law.rescaled(3).scale(), 22);
  EXPECT_EQ(law.rescaled(-60).scale(), 2.75 * 0x1p-60);
  EXPECT_TRUE(arb_overlaps(law.weight(5, fine).raw(), law.rescaled(4).weight(80, fine).raw()));
  EXPECT_FALSE(arb_overlaps(law.weight(5, fine).raw(), law.rescaled(4).weight(81, fine).raw()));
}

// Processor time for the same work at two scales. A sum over the support would take 1e10 times as long.
TYPED_TEST(IntegerLaws, TakeNoLongerAtALargeScale) {
  const auto time_at = [&](double scale) {
    const TypeParam law = this->law(scale);
    const std::clock_t start = std::clock();
    for (int i = 0; i < 100; ++i) {
      const auto x = static_cast<std::int64_t>(scale * i * reach(law) / 100);
      EXPECT_GT(law.tail(x).upper, 0);
      EXPECT_TRUE(law.quantile(*Probability::of((i + 0.5) / 100)));
      EXPECT_GT(law.variance().lower, 0);
    }
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  };
  const double narrow = time_at(1e2);
  EXPECT_LT(time_at(1e12), 20 * narrow + 0.05);
}

}  // namespace
}  // namespace vernier::noise
