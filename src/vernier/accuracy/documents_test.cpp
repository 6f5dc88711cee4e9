// The statements of the documents, word for word, and what other libraries answer wrongly.
#include <cmath>
#include <numbers>

#include <boost/math/special_functions/erf.hpp>
#include <gtest/gtest.h>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"

namespace vernier::accuracy {
namespace {

template <class Law>
Statement at(double scale, double alpha) {
  return *of(law_at<Law>(scale), *Alpha::of(alpha), Cells::one());
}

// "Geometric Mechanism Accuracy" (2020): a = ceil(scale ln(1 / alpha)), an upper bound; the exact one beside it.
TEST(GeometricDocument, ItsCeilingIsOneAboveTheExactAccuracy) {
  const Statement statement = at<noise::Geometric>(180, 0.05);
  EXPECT_NEAR(statement.accuracy_continuous, 180 * std::log(1 / 0.05), 1e-10);
  EXPECT_EQ(std::ceil(statement.accuracy_continuous), 540);
  EXPECT_EQ(statement.accuracy, 539);
  EXPECT_EQ(statement.accuracy_strict, 540);
}

// "Gaussian Mechanism Accuracy" (2020): a = sigma sqrt(2) erf^-1(1 - alpha).
TEST(GaussianDocument, ItsFormulaIsTheAccuracy) {
  const double expected = 3 * std::numbers::sqrt2 * boost::math::erf_inv(0.95);
  EXPECT_NEAR(at<noise::Gaussian>(3, 0.05).accuracy, expected, 1e-12);
  EXPECT_NEAR(at<noise::DiscreteGaussian>(3, 0.05).accuracy_continuous, expected, 1e-12);
}

// "discrete_gaussian_scale_to_accuracy" (2022): the least i with (1 - alpha) sum of all weights <= sum over x < i of
// (1 + 1[x > 0]) weights; the indicator as its text means it.
TEST(DiscreteGaussianDocument, ItsSearchFindsTheStrictAccuracy) {
  for (const double scale : {0.4, 1.0, 2.5, 20.0}) {
    for (const double alpha : {0.5, 0.1, 0.05, 0.001}) {
      double whole = 0;
      for (int x = -1000; x <= 1000; ++x) whole += std::exp(-x * x / scale / scale / 2);
      double inside = 0;
      int i = 0;
      for (; (1 - alpha) * whole > inside; ++i) inside += (i > 0 ? 2 : 1) * std::exp(-i * i / scale / scale / 2);
      EXPECT_EQ(at<noise::DiscreteGaussian>(scale, alpha).accuracy_strict, i) << scale << " " << alpha;
    }
  }
}

// OpenDP 0.16: exp(1 / scale) overflows and the accuracy is minus infinity.
TEST(PeersFail, GeometricAccuracyOfAScaleOfOneThousandthIsZero) {
  EXPECT_EQ(at<noise::Geometric>(1e-3, 0.05).accuracy, 0);
  EXPECT_EQ(at<noise::Geometric>(1e-3, 1e-300).accuracy, 0);
}

// OpenDP 0.16 says 5.
TEST(PeersFail, DiscreteGaussianAccuracyAtATinyAlphaIsNineteen) {
  EXPECT_EQ(at<noise::DiscreteGaussian>(0.5, 1e-300).accuracy_strict, 19);
  EXPECT_EQ(at<noise::DiscreteGaussian>(0.5, 1e-300).accuracy, 18);
}

// OpenDP 0.16 says 4891638, after 243 ms.
TEST(PeersFail, DiscreteGaussianAccuracyAtAMillionIsNotOneTooSmall) {
  EXPECT_EQ(at<noise::DiscreteGaussian>(1e6, 1e-6).accuracy_strict, 4891639);
}

// ln(alpha (1 + q) / 2) / ln q in doubles, with q rounded, is wrong for large scales.
TEST(PeersFail, TextbookGeometricAccuracyIsWrongForLargeScales) {
  for (const double scale : {1.3e9, 2.7e10, 7.7e11}) {
    const double q = std::exp(-1 / scale);
    const double textbook = std::ceil(std::log(0.01 * (1 + q) / 2) / std::log(q)) - 1;
    const noise::Geometric law = law_at<noise::Geometric>(scale);
    const auto a = static_cast<std::int64_t>(at<noise::Geometric>(scale, 0.01).accuracy);
    EXPECT_NE(static_cast<double>(a), textbook);
    EXPECT_LE(2 * law.tail(a).upper, 0.01);
    EXPECT_GT(2 * law.tail(a - 1).lower, 0.01);
  }
}

// erf_inv(1 - alpha) is infinite below 1e-17, and the way back says scale 0.
TEST(PeersFail, GaussianAccuracyAndScaleAtTinyAlphasAreFinite) {
  const Statement statement = at<noise::Gaussian>(1, 1e-300);
  EXPECT_NEAR(statement.accuracy, 37.0656, 1e-3);
  const auto law = gaussian_for(*Accuracy::of(statement.accuracy), *Alpha::of(1e-300), Cells::one());
  EXPECT_NEAR(law->scale(), 1, 1e-12);
}

}  // namespace
}  // namespace vernier::accuracy
