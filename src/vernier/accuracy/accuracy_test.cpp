// What holds for all laws alike: the accuracy at random parameters of the whole domain, proven by balls.
#include "vernier/accuracy/accuracy.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accuracy/laws.hpp"
#include "vernier/accuracy/parameters.hpp"

namespace vernier::accuracy {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr Precision fine{300};
constexpr Precision finest{1500};

Alpha alpha_of(double value) { return *Alpha::of(value); }
Cells cells_of(std::int64_t value) { return *Cells::of(value); }

// Do all cells stay within a with probability at least 1 - alpha? By logarithms, not by the threshold of one cell.
template <class Law>
std::optional<bool> holds(const Law& law, Point<Law> a, double alpha, std::int64_t cells) {
  for (const Precision precision : {fine, finest}) {
    const Ball outer = times_power_of_two(law.tail(argument(law, a), precision), 1);
    const Ball inside = Ball::of(cells, precision) * log1p(-outer);
    const auto falls_short =
        cells == 1 ? less(Ball::of(alpha, precision), outer) : less(inside, log1p(Ball::of(-alpha, precision)));
    if (falls_short) return !*falls_short;
  }
  return std::nullopt;
}

double any_alpha(test::Parameters& any) {
  if (any.uniform(0, 1) < 0.4) return any.uniform(0.001, 0.999);
  return any.log_uniform(1e-300, 0.999);
}
std::int64_t any_cells(test::Parameters& any) {
  return any.uniform(0, 1) < 0.5 ? 1 : static_cast<std::int64_t>(any.log_uniform(2, 1e9));
}

template <IntegerLaw Law>
void expect_right_accuracy(const Law& law, double alpha, std::int64_t cells) {
  const Result<Statement> statement = of(law, alpha_of(alpha), cells_of(cells));
  ASSERT_TRUE(statement);
  const auto a = static_cast<std::int64_t>(statement->accuracy);
  EXPECT_EQ(holds(law, a, alpha, cells), true);
  EXPECT_TRUE(a == 0 || holds(law, a - 1, alpha, cells) == false);
  EXPECT_EQ(statement->accuracy_strict, static_cast<double>(a + 1));
  if (cells == 1) {
    EXPECT_EQ(*law.two_sided_quantile(*Probability::of(alpha)), a);  // what intervals are made of
  }
}

template <class Law>
void expect_right_real(const Law& law, double a, double alpha, std::int64_t cells) {
  EXPECT_EQ(holds(law, a, alpha, cells), true);
  EXPECT_EQ(holds(law, a * (1 - 1e-12), alpha, cells), false);
}

template <class Law>
void expect_right_accuracy(const Law& law, double alpha, std::int64_t cells) {
  const Result<Statement> statement = of(law, alpha_of(alpha), cells_of(cells));
  ASSERT_TRUE(statement);
  expect_right_real(law, statement->accuracy, alpha, cells);
  EXPECT_EQ(statement->accuracy_strict, statement->accuracy);
  EXPECT_EQ(statement->accuracy_continuous, statement->accuracy);
}

template <class Law>
void check_random(test::Parameters& any, int count) {
  for (int i = 0; i < count; ++i) {
    const double scale = any.log_uniform(1e-3, 1e12), alpha = any_alpha(any);
    const std::int64_t cells = any_cells(any);
    SCOPED_TRACE(testing::Message() << "scale " << scale << " alpha " << alpha << " cells " << cells);
    expect_right_accuracy(law_at<Law>(scale), alpha, cells);
  }
}

template <class Law>
void check_corners() {
  for (const double scale : {1e-3, 0.5, 1.0, 1e12}) {
    for (const double alpha : {1e-300, 0.5, 0.999}) {
      for (const std::int64_t cells : {std::int64_t{1}, std::int64_t{2}, std::int64_t{1000000000}}) {
        SCOPED_TRACE(testing::Message() << "scale " << scale << " alpha " << alpha << " cells " << cells);
        expect_right_accuracy(law_at<Law>(scale), alpha, cells);
      }
    }
  }
}

template <class Law>
class AccuracyOfLaw : public testing::Test {};
template <class Law>
class HeavyAccuracyOfLaw : public testing::Test {};

using Laws = testing::Types<noise::Laplace, noise::Geometric, noise::Gaussian, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(AccuracyOfLaw, Laws);
TYPED_TEST_SUITE(HeavyAccuracyOfLaw, Laws);

TYPED_TEST(AccuracyOfLaw, IsRightOverTheWholeDomain) {
  test::Parameters any(421);
  check_random<TypeParam>(any, 400);
  check_corners<TypeParam>();
  EXPECT_FALSE(this->HasFailure());
}

TYPED_TEST(HeavyAccuracyOfLaw, IsRightOverTheWholeDomain) {
  test::Parameters any(422);
  check_random<TypeParam>(any, 100000);
  EXPECT_FALSE(this->HasFailure());
}

template <class Law>
class AccuracyOfIntegers : public testing::Test {};
using IntegerLaws = testing::Types<noise::Geometric, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(AccuracyOfIntegers, IntegerLaws);

// alpha is a tail rounded to a double: only the digits behind it decide.
TYPED_TEST(AccuracyOfIntegers, AreExactAtTies) {
  test::Parameters any(423);
  for (int i = 0; i < 100; ++i) {
    const TypeParam law = law_at<TypeParam>(any.log_uniform(0.05, 1e12));
    const auto a = static_cast<std::int64_t>(law.scale() * any.uniform(0, 5));
    const Bounds tail = outside(law, a, Precision{200}).bounds();
    ASSERT_LT(tail.lower, tail.upper);
    if (tail.lower < 1e-300 || tail.upper > 0.999) continue;
    SCOPED_TRACE(testing::Message() << "scale " << law.scale() << " a " << a);
    EXPECT_EQ(of(law, alpha_of(tail.upper), Cells::one())->accuracy, static_cast<double>(a));
    EXPECT_EQ(of(law, alpha_of(tail.lower), Cells::one())->accuracy, static_cast<double>(a + 1));
  }
}

// The chance that all cells lie within a, as the power of a sum of masses.
TYPED_TEST(AccuracyOfIntegers, OfManyCellsIsThatOfTheirMaximum) {
  for (const double scale : {0.3, 1.0, 4.0}) {
    for (const unsigned long cells : {2UL, 3UL, 50UL, 1000UL}) {
      for (const double alpha : {0.9, 0.3, 0.05, 1e-6}) {
        const TypeParam law = law_at<TypeParam>(scale);
        Ball inside = law.weight(0, fine) / law.total(fine);
        std::int64_t a = 0;
        while (less(power(inside, cells), Ball::of(1, fine) - Ball::of(alpha, fine)) == true) {
          ++a;
          inside = inside + times_power_of_two(law.weight(a, fine), 1) / law.total(fine);
        }
        const auto count = static_cast<std::int64_t>(cells);
        EXPECT_EQ(of(law, alpha_of(alpha), cells_of(count))->accuracy, static_cast<double>(a))
            << scale << " " << cells << " " << alpha;
      }
    }
  }
}

TEST(Accuracy, OfManyCellsIsBelowTheUnionBound) {
  const noise::Laplace law = law_at<noise::Laplace>(1);
  const double exact = of(law, alpha_of(0.5), cells_of(2))->accuracy;
  EXPECT_NEAR(exact, -std::log(1 - std::sqrt(0.5)), 1e-12);
  EXPECT_LT(exact, of(law, alpha_of(0.25), Cells::one())->accuracy);
}

}  // namespace
}  // namespace vernier::accuracy
