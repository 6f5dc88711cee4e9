#include "vernier/query/expression/expression.hpp"

#include <gtest/gtest.h>

#include "support/tables.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/query.hpp"

namespace vernier::query {
namespace {

Expression named(std::string_view name) {
  const Table people = testing::people();
  for (const Column& found : people.columns) {
    if (found.name == name) return column(found);
  }
  return literal(false);
}

Expression whole(std::int64_t value) { return literal(value); }

TEST(Expression, IsBoundedByDeclaredBoundsLiteralsAndClampAlone) {
  EXPECT_TRUE(named("age").bounded());
  EXPECT_FALSE(named("id").bounded());
  EXPECT_TRUE(apply(Operation::add, {named("age"), whole(5)})->bounded());
  EXPECT_FALSE(apply(Operation::add, {named("age"), named("id")})->bounded());
  EXPECT_TRUE(apply(Operation::clamp, {named("id"), whole(0), whole(5)})->bounded());
  EXPECT_FALSE(apply(Operation::divide, {named("age"), named("educ")})->bounded());
  EXPECT_TRUE(apply(Operation::divide, {named("age"), whole(2)})->bounded());
  EXPECT_FALSE(cast(named("region"), Type::integer)->bounded());
  EXPECT_TRUE(cast(named("member"), Type::integer)->bounded());
}

TEST(Expression, IsNullableWhereARowMayHaveNoValue) {
  EXPECT_TRUE(named("age").nullable());
  EXPECT_FALSE(apply(Operation::coalesce, {named("age"), whole(0)})->nullable());
  EXPECT_FALSE(apply(Operation::is_null, {named("age")})->nullable());
  EXPECT_TRUE(apply(Operation::divide, {whole(1), *apply(Operation::coalesce, {named("educ"), whole(0)})})->nullable());
  EXPECT_FALSE(apply(Operation::divide, {whole(1), whole(2)})->nullable());
}

TEST(Expression, OfIntegersIsRenderedWideOnlyWhereItMustBe) {
  EXPECT_EQ(rendered(*apply(Operation::add, {named("age"), named("educ")})).find("HUGEINT"), std::string::npos);
  EXPECT_NE(rendered(*apply(Operation::add, {named("id"), named("educ")})).find("HUGEINT"), std::string::npos);
}

// Not every engine gives NULL for a division by zero, so that none is asked to.
TEST(Expression, DividesOnlyByWhatIsNotZero) {
  EXPECT_NE(rendered(*apply(Operation::remainder, {named("age"), named("educ")})).find(" <> 0 THEN"),
            std::string::npos);
  EXPECT_EQ(rendered(*apply(Operation::remainder, {named("age"), whole(7)})).find(" <> 0 THEN"), std::string::npos);
}

TEST(Expression, IsRefusedWhereItCouldNotBeHeld) {
  Expression product = named("id");
  EXPECT_TRUE(apply(Operation::multiply, {product, product}));
  product = *apply(Operation::multiply, {product, product});
  EXPECT_FALSE(apply(Operation::multiply, {product, product}));
}

TEST(Expression, IsRefusedWhereItsSqlWouldGrowWithoutEnd) {
  Result<Expression> nested = named("weight");
  int levels = 0;
  while (nested && levels < 1000) {
    nested = apply(Operation::divide, {*nested, named("weight")});
    ++levels;
  }
  EXPECT_LT(levels, 20);
  EXPECT_LT(rendered(*apply(Operation::divide, {named("weight"), named("weight")})).size(), 3000U);
}

// What a row can make of its texts at once is bounded, however they are nested, and long lists are none the heavier.
TEST(Expression, IsRefusedWhereItWouldMakeManyTexts) {
  Result<Expression> nested = named("region"), listed = named("region");
  int levels = 0;
  const auto in_capitals = [](const Expression& x) { return apply(Operation::upper_case, {x}); };
  for (; nested && levels < 1000; ++levels) {
    nested = apply(Operation::concatenate, {*nested, *nested}).and_then(in_capitals);
  }
  EXPECT_LT(levels, 8);
  for (int i = 0; i < 60; ++i) listed = apply(Operation::concatenate, {*listed, named("region")});
  EXPECT_TRUE(listed);
}

TEST(Expression, OfTextsHasTheLengthThatItCanHave) {
  EXPECT_EQ(std::get<IntegerSpan>(apply(Operation::length, {named("region")})->span()), (IntegerSpan{0, 65'536}));
  EXPECT_TRUE(apply(Operation::concatenate, {literal(std::string("a")), literal(std::string("b"))})->nullable());
}

TEST(Expression, OfRealsHasFiniteEndsEvenWhereEveryRowIsNull) {
  const Expression nothing = *apply(Operation::divide, {literal(1e150), literal(5e-324)});
  EXPECT_TRUE(nothing.guarded());
  EXPECT_TRUE(is_within_reals(std::get<RealSpan>(nothing.span())));
  EXPECT_TRUE(is_within_reals(std::get<RealSpan>(apply(Operation::multiply, {nothing, literal(0.0)})->span())));
}

TEST(Expression, HasAsManyOperandsAsItsOperationTakes) {
  for (int i = static_cast<int>(Operation::add); i <= static_cast<int>(Operation::elapsed); ++i) {
    EXPECT_FALSE(apply(static_cast<Operation>(i), {})) << i;
  }
  EXPECT_FALSE(apply(Operation::negate, {whole(1), whole(2)}));
  EXPECT_FALSE(apply(Operation::case_when, {named("member"), whole(2)}));
  EXPECT_FALSE(apply(Operation::add, {whole(1), whole(2), whole(3)}));
}

TEST(Expression, IsClampedOnceOnly) {
  EXPECT_EQ(*apply(Operation::clamp, {named("age"), whole(-5), whole(500)}), named("age"));
  EXPECT_FALSE(*apply(Operation::clamp, {named("age"), whole(5), whole(500)}) == named("age"));
}

TEST(Expression, HasOneFormForWhatMeansTheSame) {
  const Expression a = named("member");
  const Expression b = *apply(Operation::equal, {named("age"), whole(1)});
  EXPECT_EQ(*apply(Operation::logical_and, {a, *apply(Operation::logical_and, {b, a})}),
            *apply(Operation::logical_and, {a, b, a}));
  EXPECT_EQ(*apply(Operation::logical_not, {b}), *apply(Operation::not_equal, {named("age"), whole(1)}));
  EXPECT_EQ(*apply(Operation::negate, {whole(5)}), whole(-5));
}

}  // namespace
}  // namespace vernier::query
