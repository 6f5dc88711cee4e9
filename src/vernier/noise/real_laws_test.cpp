// What both laws over the reals must satisfy, at random parameters over their whole domain.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/noise/gaussian.hpp"
#include "vernier/noise/laplace.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::noise {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double greatest = std::numeric_limits<double>::max();

Laplace make(const Laplace*, double scale) { return Laplace::of(*LaplaceScale::of(scale)); }
Gaussian make(const Gaussian*, double scale) { return Gaussian::of(*Sigma::of(scale)); }
double reach(const Laplace&) { return 690; }
double reach(const Gaussian&) { return 37; }
Real real(double x) { return *Real::of(x); }

void expect_tight(Bounds bounds) {
  EXPECT_LE(bounds.lower, bounds.upper);
  EXPECT_GT(bounds.upper, 0);
  EXPECT_GE(bounds.lower, 0);
  if (bounds.upper > 1e-300) {
    EXPECT_LE(bounds.upper - bounds.lower, 1e-12 * bounds.lower);
  }
}

template <class Law>
class RealLaws : public testing::Test {
 protected:
  static Law law(double scale) { return make(static_cast<const Law*>(nullptr), scale); }
  static Law any_law(test::Parameters& any) { return law(any.log_uniform(least_scale, greatest_scale)); }
  static double any_point(const Law& law, test::Parameters& any) {
    const double size = any.uniform(0, 1) < 0.5 ? any.uniform(0, 1) : any.log_uniform(1e-20, 1);
    return (any.uniform(-1, 1) < 0 ? -1 : 1) * size * reach(law) * law.scale();
  }
};

using Laws = testing::Types<Laplace, Gaussian>;
TYPED_TEST_SUITE(RealLaws, Laws);

TYPED_TEST(RealLaws, HaveTightBoundsOverTheWholeDomain) {
  test::Parameters any(41);
  for (int i = 0; i < 1000; ++i) {
    const TypeParam law = this->any_law(any);
    const double x = this->any_point(law, any);
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " x " << x);
    expect_tight(law.density(real(x)));
    expect_tight(law.tail(real(x)));
    expect_tight(law.cumulative(real(x)));
    expect_tight(law.variance());
  }
}

TYPED_TEST(RealLaws, AreSymmetric) {
  test::Parameters any(42);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const double x = this->any_point(law, any);
    EXPECT_EQ(law.density(real(x)), law.density(real(-x)));
    EXPECT_EQ(law.cumulative(real(x)), law.tail(real(-x)));
  }
  EXPECT_EQ(this->law(3).tail(real(0)), (Bounds{0.5, 0.5}));
}

TYPED_TEST(RealLaws, GiveOneForCumulativePlusTail) {
  test::Parameters any(43);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    const double x = this->any_point(law, any);
    EXPECT_LE(numeric::add_down(law.cumulative(real(x)).lower, law.tail(real(x)).lower), 1);
    EXPECT_GE(numeric::add_up(law.cumulative(real(x)).upper, law.tail(real(x)).upper), 1);
    EXPECT_GE(numeric::add_down(law.cumulative(real(x)).lower, law.tail(real(x)).lower), 1 - 1e-15);
  }
}

// The density falls for x > 0, so it bounds the probability of a short interval from both of its ends.
TYPED_TEST(RealLaws, HaveTheDensityOfTheirTail) {
  test::Parameters any(44);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->law(any.log_uniform(1e-50, 1e50));
    const double a = std::abs(this->any_point(law, any)) * 0.9;
    const double b = a + law.scale() * any.log_uniform(1e-8, 0.1);
    const Ball width = Ball::of(b, {300}) - Ball::of(a, {300});
    const Ball mean = (law.tail(real(a), {300}) - law.tail(real(b), {300})) / width;
    EXPECT_LE(mean.bounds().lower, law.density(real(a)).upper) << law.scale() << " " << a;
    EXPECT_GE(mean.bounds().upper, law.density(real(b)).lower) << law.scale() << " " << a;
  }
}

TYPED_TEST(RealLaws, ReportTheLeastPositiveDoubleForWhatIsBelowIt) {
  for (const double scale : {1e-100, 1e-3, 1.0, 1e100}) {
    const TypeParam law = this->law(scale);
    EXPECT_EQ(law.tail(real(greatest)), (Bounds{0, least}));
    EXPECT_EQ(law.density(real(-greatest)), (Bounds{0, least}));
    EXPECT_EQ(law.cumulative(real(greatest)), (Bounds{std::nextafter(1.0, 0), 1}));
  }
}

template <class Law>
void expect_least(const Law& law, double p) {
  SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " p " << p);
  const Precision fine{1400};
  const Result<Real> q = law.quantile(*Probability::of(p));
  ASSERT_TRUE(q);
  const Ball wanted = Ball::of(p, fine);
  const double before = std::nextafter(q->value(), -greatest);
  EXPECT_EQ(less(law.tail(-*q, fine), wanted), false);
  EXPECT_EQ(less(law.tail(-real(before), fine), wanted), true);
}

TYPED_TEST(RealLaws, HaveTheLeastDoubleAsQuantile) {
  test::Parameters any(45);
  for (int i = 0; i < 40; ++i) {
    const TypeParam law = this->any_law(any);
    expect_least(law, any.log_uniform(1e-300, 0.5));
    expect_least(law, 1 - any.log_uniform(1e-15, 0.5));
    expect_least(law, any.uniform(0, 1));
  }
  for (const double scale : {1e-100, 1.0, 1e100}) {
    for (const double p : {least, 1e-310, 1 - 0x1p-53, 0.5 + 0x1p-53, 0.5 - 0x1p-54}) expect_least(this->law(scale), p);
    EXPECT_EQ(this->law(scale).quantile(*Probability::of(0.5))->value(), 0);
  }
}

TYPED_TEST(RealLaws, HaveNoQuantileAtZeroAndOne) {
  const TypeParam law = this->law(3);
  for (const double p : {0.0, 1.0}) {
    EXPECT_EQ(law.quantile(*Probability::of(p)).error().kind, ErrorKind::invalid);
  }
}

// Certain at 1400 bits, and not so for a double that is 1e-12 nearer to 0. P[abs(X) > a] = 2 P[X > a].
template <class Law>
void expect_two_sided(const Law& law, double tau) {
  SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " tau " << tau);
  const Precision fine{1400};
  const Result<Real> a = law.two_sided_quantile(*Probability::of(tau));
  ASSERT_TRUE(a);
  const Ball half = times_power_of_two(Ball::of(tau, fine), -1);
  EXPECT_EQ(less(half, law.tail(*a, fine)), false);
  EXPECT_EQ(less(half, law.tail(real(a->value() * (1 - 1e-12)), fine)), true);
}

TYPED_TEST(RealLaws, LeaveAtMostTauOutsideTheirTwoSidedQuantile) {
  test::Parameters any(46);
  for (int i = 0; i < 300; ++i) {
    const TypeParam law = this->any_law(any);
    expect_two_sided(law, any.log_uniform(1e-310, 0.999));
    expect_two_sided(law, any.uniform(0.3, 1));
    expect_two_sided(law, 1 - any.log_uniform(1e-15, 0.5));
  }
  for (const double scale : {1e-100, 1.0, 1e100}) {
    for (const double tau : {least, 1e-310, 1e-300, 1e-17, 0.5, std::nextafter(0.5, 0.0), 1 - 0x1p-53}) {
      expect_two_sided(this->law(scale), tau);
    }
    EXPECT_EQ(this->law(scale).two_sided_quantile(*Probability::of(1))->value(), 0);
  }
}

TYPED_TEST(RealLaws, HaveNoTwoSidedQuantileAtZero) {
  const Result<Real> found = this->law(3).two_sided_quantile(*Probability::of(0));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::invalid);
  EXPECT_NE(found.error().sentence().find("must be above 0"), std::string::npos);
}

}  // namespace
}  // namespace vernier::noise
