// The reference table of margins: the least a with P[abs(noise) > a] <= alpha.
#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "support/reference.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/any_law.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::noise {
namespace {

// For integer noise the margin is exact: it satisfies the condition and the integer before it does not.
template <class IntegerLaw>
void check(const IntegerLaw& law, double alpha, const std::string& margin) {
  const std::int64_t a = read_integer("margin", margin).value();
  EXPECT_LE(2 * law.tail(a).upper, alpha);
  EXPECT_GT(a == 0 ? 1 : 2 * law.tail(a - 1).lower, alpha);
}

// For real noise the quantile is the margin within 1e-12, and the two-sided one is not below it.
template <class RealLaw>
void check_real(const RealLaw& law, double alpha, const std::string& margin) {
  const double a = read_number("margin", margin).value();
  EXPECT_NEAR(-law.quantile(*Probability::of(alpha / 2))->value() / a, 1, 1e-12);
  const auto found = numeric::Rational::of(law.two_sided_quantile(*Probability::of(alpha))->value());
  const auto exact = numeric::Rational::of_decimal(margin);
  EXPECT_GE(*found, *exact);
  EXPECT_LE(*found, *exact + *exact * *numeric::Rational::of_decimal("1e-12"));
  EXPECT_LE(2 * law.tail(*Real::of(a * (1 + 1e-12))).upper, alpha);
  EXPECT_GE(2 * law.tail(*Real::of(a * (1 - 1e-12))).lower, alpha);
}

void check(const Laplace& law, double alpha, const std::string& margin) { check_real(law, alpha, margin); }
void check(const Gaussian& law, double alpha, const std::string& margin) { check_real(law, alpha, margin); }

TEST(Margin, AgreesWithTheReferenceTable) {
  const auto rows = test::reference_rows("margin.csv");
  ASSERT_GE(rows.size(), 100U);
  for (const auto& row : rows) {
    ASSERT_EQ(row.size(), 4U);
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2] + " " + row[3]);
    const Result<AnyLaw> law = law_named(row[0], read_number("scale", row[1]).value());
    ASSERT_TRUE(law);
    const double alpha = read_number("alpha", row[2]).value();
    std::visit([&](const auto& one) { check(one, alpha, row[3]); }, *law);
  }
}

// Half of these is no double, or is 0. Doubling a ball is exact.
template <class IntegerLaw>
void expect_least(const IntegerLaw& law, double tau) {
  constexpr numeric::Precision precision{512};
  SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " tau " << tau);
  const Result<std::int64_t> a = law.two_sided_quantile(*Probability::of(tau));
  ASSERT_TRUE(a) << a.error().sentence();
  const auto leaves = [&](std::int64_t x) { return times_power_of_two(law.tail(x, precision), 1); };
  EXPECT_EQ(less(numeric::Ball::of(tau, precision), leaves(*a)), false);
  EXPECT_EQ(less(numeric::Ball::of(tau, precision), leaves(*a - 1)), true);
}

TEST(Margin, IsLeastAtSubnormalProbabilities) {
  test::Parameters any(38);
  for (int i = 0; i < 200; ++i) {
    const double scale = any.log_uniform(least_integer_scale, 1e6);
    const auto odd = 2 * static_cast<int>(any.log_uniform(1, 1e9)) + 1;
    const double tau = static_cast<double>(i < 8 ? i + 1 : odd) * std::numeric_limits<double>::denorm_min();
    expect_least(*Geometric::of(*LaplaceScale::of(scale)), tau);
    expect_least(*DiscreteGaussian::of(*Sigma::of(scale)), tau);
  }
}

// P[abs(X) > 0] is 3 times 2^-1074 but for one part in a million, on either side. Half of that, rounded, would be too
// small for one of them.
TEST(Margin, IsLeastWhereHalfAProbabilityIsNoDouble) {
  const double tau = 3 * std::numeric_limits<double>::denorm_min();
  const double scale = -1 / (std::log(tau) - std::numbers::ln2);  // P[abs(X) > 0] is about 2 exp(-1 / scale)
  const auto margin_at = [&](double factor) {
    return *Geometric::of(*LaplaceScale::of(scale * factor))->two_sided_quantile(*Probability::of(tau));
  };
  EXPECT_EQ(margin_at(1 - 1e-9), 0);
  EXPECT_EQ(margin_at(1 + 1e-9), 1);
}

TEST(Margin, OfRealNoiseIsThereAtTheLeastProbability) {
  constexpr double tau = std::numeric_limits<double>::denorm_min();
  EXPECT_NEAR(Laplace::of(*LaplaceScale::of(1)).two_sided_quantile(*Probability::of(tau))->value(), 744.44, 0.01);
  EXPECT_NEAR(Gaussian::of(*Sigma::of(1)).two_sided_quantile(*Probability::of(tau))->value(), 38.47, 0.02);
}

}  // namespace
}  // namespace vernier::noise
