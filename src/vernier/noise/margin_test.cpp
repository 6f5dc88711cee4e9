// The reference table of margins: the least a with P[abs(noise) > a] <= alpha.
#include <cmath>
#include <string>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace vernier::noise
