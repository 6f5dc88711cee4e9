// The reference tables: integers equal, reals on the safe side and within 1e-12.
#include "support/reference.hpp"

#include <cmath>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/calibration.hpp"
#include "vernier/core/text.hpp"
#include "vernier/mechanism/laplace.hpp"
#include "vernier/noise/any_law.hpp"
#include "vernier/numeric/rational.hpp"

namespace vernier::accuracy {
namespace {

using Row = std::vector<std::string>;

double number(const std::string& text) { return read_number("value", text).value(); }
Alpha alpha_of(const std::string& text) { return *Alpha::of(number(text)); }

// At or above the exact value, which the table has to 25 digits, by at most 1e-12.
void expect_rounded_up(double value, const std::string& exact) {
  EXPECT_GE(value, numeric::Rational::of_decimal(exact)->round_down());
  EXPECT_LE(value, number(exact) * (1 + 1e-12));
}
void expect_rounded_down(double value, const std::string& exact) {
  EXPECT_LE(value, numeric::Rational::of_decimal(exact)->round_up());
  EXPECT_GE(value, number(exact) * (1 - 1e-12));
}

void expect_margin(const Row& row) {
  const auto law = noise::law_named(row[0], number(row[1]));
  ASSERT_TRUE(law);
  const auto statement = std::visit([&](const auto& one) { return of(one, alpha_of(row[2]), Cells::one()); }, *law);
  ASSERT_TRUE(statement);
  if (row[0].starts_with("discrete")) {
    EXPECT_EQ(statement->accuracy, number(row[3]));
    EXPECT_EQ(statement->accuracy_strict, number(row[3]) + 1);
  } else {
    expect_rounded_up(statement->accuracy, row[3]);
  }
}

TEST(AccuracyReference, HasTheMargins) {
  const auto rows = test::reference_rows("margin.csv");
  ASSERT_GE(rows.size(), 100U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2]);
    expect_margin(row);
  }
}

TEST(AccuracyReference, HasTheScalesOfMargins) {
  const auto rows = test::reference_rows("scale_of_margin.csv");
  ASSERT_GE(rows.size(), 20U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2]);
    const Accuracy accuracy = *Accuracy::of(number(row[1]));
    const double scale = row[0] == "gaussian"
                             ? gaussian_for(accuracy, alpha_of(row[2]), Cells::one())->scale()
                             : discrete_gaussian_for(accuracy, alpha_of(row[2]), Cells::one())->scale();
    expect_rounded_down(scale, row[3]);
  }
}

double laplace_epsilon(Accuracy accuracy, Alpha alpha, double sensitivity) {
  const noise::Laplace law = *laplace_for(accuracy, alpha, Cells::one());
  return mechanism::LaplaceMechanism::at_scale(*LaplaceScale::of(law.scale()), *privacy::L1Sensitivity::of(sensitivity))
      .curve()
      .epsilon(privacy::Delta::zero())
      ->upper;
}

double discrete_epsilon(Accuracy accuracy, Alpha alpha, double sensitivity) {
  const auto whole = *privacy::IntegerSensitivity::of(static_cast<std::int64_t>(sensitivity));
  return geometric_epsilon(accuracy, alpha, Cells::one(), privacy::Delta::zero(), whole)->upper;
}

TEST(AccuracyReference, HasTheEpsilonsOfMargins) {
  const auto rows = test::reference_rows("epsilon_of_margin.csv");
  ASSERT_GE(rows.size(), 40U);
  for (const Row& row : rows) {
    SCOPED_TRACE(row[0] + " " + row[1] + " " + row[2] + " " + row[3]);
    const Accuracy accuracy = *Accuracy::of(number(row[1]));
    const double epsilon = row[0] == "laplace" ? laplace_epsilon(accuracy, alpha_of(row[2]), number(row[3]))
                                               : discrete_epsilon(accuracy, alpha_of(row[2]), number(row[3]));
    expect_rounded_up(epsilon, row[4]);
  }
}

}  // namespace
}  // namespace vernier::accuracy
