#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/parameters.hpp"
#include "vernier/accuracy/accuracy.hpp"
#include "vernier/accuracy/laws.hpp"

namespace vernier::accuracy {
namespace {

using numeric::Ball;
using numeric::Precision;

template <class Law>
using Vector = std::vector<Group<Law>>;

template <class Law>
Group<Law> group(double scale, std::int64_t cells) {
  return {law_at<Law>(scale), *Cells::of(cells)};
}

template <class Law>
Result<Statement> statement(const Vector<Law>& groups, double alpha) {
  return of(std::span<const Group<Law>>(groups), *Alpha::of(alpha));
}

// Do all cells stay within a with probability at least 1 - alpha? As a product of powers, with digits to spare.
template <class Law>
std::optional<bool> holds(const Vector<Law>& groups, double a, double alpha) {
  const Precision precision{1400};
  Ball product = Ball::of(1, precision);
  for (const auto& [law, cells] : groups) {
    const Ball inside = Ball::of(1, precision) - outside(law, static_cast<Point<Law>>(a), precision);
    product = product * power(inside, static_cast<unsigned long>(cells.value()));
  }
  const auto falls_short = less(product, Ball::of(1, precision) - Ball::of(alpha, precision));
  if (!falls_short) return std::nullopt;
  return !*falls_short;
}

template <class Law>
void expect_right(const Vector<Law>& groups, double alpha) {
  const Result<Statement> found = statement(groups, alpha);
  ASSERT_TRUE(found);
  const double a = found->accuracy;
  EXPECT_EQ(holds(groups, a, alpha), true) << a;
  if constexpr (IntegerLaw<Law>) {
    EXPECT_TRUE(a == 0 || holds(groups, a - 1, alpha) == false) << a;
    EXPECT_EQ(found->accuracy_strict, a + 1);
  } else {
    EXPECT_EQ(holds(groups, a * (1 - 1e-12), alpha), false) << a;
    EXPECT_EQ(found->accuracy_strict, a);
  }
}

template <class Law>
class AccuracyOfGroups : public testing::Test {};
using Laws = testing::Types<noise::Laplace, noise::Geometric, noise::Gaussian, noise::DiscreteGaussian>;
TYPED_TEST_SUITE(AccuracyOfGroups, Laws);

TYPED_TEST(AccuracyOfGroups, IsRightForRandomScalesAndSizes) {
  test::Parameters any(441);
  for (int i = 0; i < 25; ++i) {
    Vector<TypeParam> groups;
    const double centre = any.log_uniform(0.3, 1e10), alpha = any.log_uniform(1e-300, 0.999);
    for (double count = any.uniform(1, 6); count > 0; --count) {
      const double scale = any.uniform(0, 1) < 0.5 ? centre * any.uniform(0.5, 2) : any.log_uniform(1e-3, 1e12);
      groups.push_back(group<TypeParam>(scale, static_cast<std::int64_t>(any.log_uniform(1, 1e4))));
    }
    SCOPED_TRACE(testing::Message() << groups.size() << " groups, first scale " << groups[0].law.scale() << " cells "
                                    << groups[0].cells.value() << " alpha " << alpha);
    expect_right(groups, alpha);
  }
  EXPECT_FALSE(this->HasFailure());
}

TYPED_TEST(AccuracyOfGroups, IsThatOfOneLawWhenAllScalesAgree) {
  for (const double alpha : {1e-300, 1e-6, 0.05, 0.999}) {
    const Vector<TypeParam> groups{group<TypeParam>(7, 3), group<TypeParam>(7, 4), group<TypeParam>(7, 93)};
    const Statement together = *statement(groups, alpha);
    const Statement alone = *of(law_at<TypeParam>(7), *Alpha::of(alpha), *Cells::of(100));
    EXPECT_NEAR(together.accuracy / alone.accuracy, 1, IntegerLaw<TypeParam> ? 0 : 1e-12);
    EXPECT_NEAR(together.accuracy_continuous / alone.accuracy_continuous, 1, 1e-12);
  }
}

TYPED_TEST(AccuracyOfGroups, LiesBetweenTheWidestAloneAndAllAtItsScale) {
  const Vector<TypeParam> groups{group<TypeParam>(10, 5), group<TypeParam>(30, 2), group<TypeParam>(29, 4)};
  const double together = statement(groups, 0.1)->accuracy;
  EXPECT_GT(together, of(groups[1].law, *Alpha::of(0.1), *Cells::of(2))->accuracy);
  EXPECT_LT(together, of(groups[1].law, *Alpha::of(0.1), *Cells::of(11))->accuracy);
}

TYPED_TEST(AccuracyOfGroups, NeedsAtLeastOneGroup) {
  const Result<Statement> nothing = statement(Vector<TypeParam>{}, 0.05);
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().kind, ErrorKind::invalid);
}

}  // namespace
}  // namespace vernier::accuracy
