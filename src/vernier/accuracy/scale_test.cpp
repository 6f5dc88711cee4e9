// The way back: the largest scale for an accuracy.
#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"

namespace vernier::accuracy {
namespace {

using numeric::Ball;
using numeric::Precision;

Result<noise::Laplace> law_for(const noise::Laplace*, Accuracy a, Alpha p, Cells n) { return laplace_for(a, p, n); }
Result<noise::Geometric> law_for(const noise::Geometric*, Accuracy a, Alpha p, Cells n) {
  return geometric_for(a, p, n);
}
Result<noise::Gaussian> law_for(const noise::Gaussian*, Accuracy a, Alpha p, Cells n) { return gaussian_for(a, p, n); }
Result<noise::DiscreteGaussian> law_for(const noise::DiscreteGaussian*, Accuracy a, Alpha p, Cells n) {
  return discrete_gaussian_for(a, p, n);
}

template <class Law>
Result<Law> law_for(double accuracy, double alpha, std::int64_t cells = 1) {
  return law_for(static_cast<const Law*>(nullptr), *Accuracy::of(accuracy), *Alpha::of(alpha), *Cells::of(cells));
}

// Do all cells stay within a? Certain answers only.
template <class Law>
std::optional<bool> holds(double scale, double a, double alpha, std::int64_t cells) {
  const Law law = law_at<Law>(scale);
  for (const Precision precision : {Precision{250}, Precision{1300}}) {
    const Ball inside = log1p(-outside(law, static_cast<Point<Law>>(a), precision));
    const auto falls_short = less(Ball::of(cells, precision) * inside, log1p(Ball::of(-alpha, precision)));
    if (falls_short) return !*falls_short;
  }
  return std::nullopt;
}

double any_accuracy(test::Parameters& any, bool whole) {
  const double a = any.log_uniform(whole ? 0.3 : 1e-3, 1e12);
  return whole ? std::floor(a) : a;
}

template <class Law>
void check_random(test::Parameters& any, int count) {
  int answered = 0;
  for (int i = 0; i < count; ++i) {
    const double alpha = any.uniform(0, 1) < 0.5 ? any.uniform(0.001, 0.999) : any.log_uniform(1e-300, 0.999);
    const std::int64_t cells = any.uniform(0, 1) < 0.5 ? 1 : static_cast<std::int64_t>(any.log_uniform(2, 1e9));
    const double a = any_accuracy(any, IntegerLaw<Law>);
    SCOPED_TRACE(testing::Message() << "accuracy " << a << " alpha " << alpha << " cells " << cells);
    const Result<Law> law = law_for<Law>(a, alpha, cells);
    if (!law) {
      EXPECT_EQ(law.error().kind, ErrorKind::invalid) << law.error().sentence();
      continue;
    }
    ++answered;
    EXPECT_EQ(holds<Law>(law->scale(), a, alpha, cells), true);
    EXPECT_EQ(holds<Law>(law->scale() * (1 + 1e-12), a, alpha, cells), false);
  }
  EXPECT_GT(answered, count * 3 / 4);
}

template <class Law>
class ScaleForAccuracy : public testing::Test {};
template <class Law>
class HeavyScaleForAccuracy : public testing::Test {};
using Laws = testing::Types<noise::Laplace, noise::Geometric, noise::Gaussian, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(ScaleForAccuracy, Laws);
TYPED_TEST_SUITE(HeavyScaleForAccuracy, Laws);

TYPED_TEST(ScaleForAccuracy, IsTheLargestOverTheWholeDomain) {
  test::Parameters any(431);
  check_random<TypeParam>(any, 150);
  EXPECT_FALSE(this->HasFailure());
}

TYPED_TEST(HeavyScaleForAccuracy, IsTheLargestOverTheWholeDomain) {
  test::Parameters any(432);
  check_random<TypeParam>(any, 100000);
  EXPECT_FALSE(this->HasFailure());
}

// Its own accuracy is at most the one wanted, and back again the scale is no larger.
TYPED_TEST(ScaleForAccuracy, HasAtMostTheAccuracyWanted) {
  for (const double a : {1.0, 50.0, 1e6}) {
    for (const double alpha : {1e-300, 1e-9, 0.05, 0.9}) {
      const auto law = law_for<TypeParam>(a, alpha, 7);
      const double back = of(*law, *Alpha::of(alpha), *Cells::of(7))->accuracy;
      if constexpr (IntegerLaw<TypeParam>)
        EXPECT_EQ(back, a);
      else
        EXPECT_NEAR(back / a, 1, 1e-12);
    }
  }
}

TYPED_TEST(ScaleForAccuracy, RefusesAScaleBeyondTheDomain) {
  if constexpr (IntegerLaw<TypeParam>) {
    const auto wide = law_for<TypeParam>(1e15, 0.9);
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().kind, ErrorKind::invalid);
    EXPECT_NE(wide.error().sentence().find("above 1e+12"), std::string::npos) << wide.error().sentence();
  } else {
    const auto narrow = law_for<TypeParam>(1e-200, 0.9);
    ASSERT_FALSE(narrow);
    EXPECT_EQ(narrow.error().kind, ErrorKind::invalid);
    EXPECT_NE(narrow.error().sentence().find("below 1e-100"), std::string::npos) << narrow.error().sentence();
  }
}

TEST(Scale, OfRealNoiseNeedsAnAccuracyAboveZero) {
  const auto law = law_for<noise::Laplace>(0, 0.05);
  ASSERT_FALSE(law);
  EXPECT_EQ(law.error().kind, ErrorKind::invalid);
  EXPECT_NE(law.error().sentence().find("ask for an accuracy above 0"), std::string::npos) << law.error().sentence();
  EXPECT_FALSE(law_for<noise::Gaussian>(0, 0.05));
}

TEST(Scale, OfIntegerNoiseNeedsAWholeAccuracy) {
  const auto law = law_for<noise::Geometric>(12.5, 0.05);
  ASSERT_FALSE(law);
  EXPECT_EQ(law.error().sentence(),
            "the accuracy of integer noise is a whole number, but it is 12.5; write 12 for the same guarantee");
  EXPECT_FALSE(law_for<noise::DiscreteGaussian>(0.5, 0.05));
}

// P[abs(X) > 0] = 2q / (1 + q) = 1/2 at q = 1/3.
TEST(Scale, OfIntegerNoiseAllowsAccuracyZero) {
  EXPECT_NEAR(law_for<noise::Geometric>(0, 0.5)->scale(), 1 / std::log(3), 1e-12);
}

}  // namespace
}  // namespace vernier::accuracy
