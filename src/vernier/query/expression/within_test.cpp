#include "vernier/query/expression/within.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "support/tables.hpp"

namespace vernier::query {
namespace {

Expression named(std::string_view name) {
  for (const Column& found : testing::people().columns) {
    if (found.name == name) return column(found);
  }
  return literal(false);
}

Expression of(Operation operation, std::vector<Expression> operands) {
  return apply(operation, std::move(operands)).value();
}
Expression whole(std::int64_t value) { return literal(value); }
Expression is(std::string_view name, std::int64_t value) { return of(Operation::equal, {named(name), whole(value)}); }

// In both orders, and neither with itself.
bool exclude(const Expression& a, const Expression& b) {
  const bool found = exclude_each_other(within(a), within(b));
  EXPECT_EQ(exclude_each_other(within(b), within(a)), found);
  EXPECT_FALSE(exclude_each_other(within(a), within(a)));
  EXPECT_FALSE(exclude_each_other(within(b), within(b)));
  return found;
}

TEST(Within, ExcludesDifferentConstantsOfOneExpressionAlone) {
  EXPECT_TRUE(exclude(is("educ", 1), is("educ", 2)));
  EXPECT_FALSE(exclude(is("educ", 1), is("educ", 1)));
  EXPECT_FALSE(exclude(is("educ", 1), is("age", 2)));
  EXPECT_TRUE(exclude(is("educ", 1), of(Operation::equal, {whole(2), named("educ")})));
  const Expression north = of(Operation::equal, {named("region"), literal(std::string("north"))});
  EXPECT_TRUE(exclude(north, of(Operation::equal, {named("region"), literal(std::string("south"))})));
  const Expression sum = of(Operation::add, {named("educ"), named("age")});
  EXPECT_TRUE(exclude(of(Operation::equal, {sum, whole(3)}), of(Operation::equal, {sum, whole(4)})));
}

TEST(Within, KnowsWhichEndsOfARangeAreInIt) {
  const Expression age = named("age");
  const auto below = of(Operation::less, {age, whole(18)}), up_to = of(Operation::less_equal, {age, whole(18)});
  const auto from = of(Operation::greater_equal, {age, whole(18)}), above = of(Operation::greater, {age, whole(18)});
  EXPECT_TRUE(exclude(below, from));
  EXPECT_TRUE(exclude(up_to, above));
  EXPECT_TRUE(exclude(below, above));
  EXPECT_FALSE(exclude(up_to, from));
  EXPECT_TRUE(
      exclude(of(Operation::between, {age, whole(1), whole(9)}), of(Operation::between, {age, whole(10), whole(19)})));
  EXPECT_FALSE(
      exclude(of(Operation::between, {age, whole(1), whole(10)}), of(Operation::between, {age, whole(10), whole(19)})));
  EXPECT_TRUE(exclude(of(Operation::in, {age, whole(1), whole(3)}), of(Operation::in, {age, whole(2), whole(4)})));
  EXPECT_FALSE(exclude(of(Operation::in, {age, whole(1), whole(3)}), of(Operation::in, {age, whole(3), whole(4)})));
  EXPECT_TRUE(exclude(of(Operation::not_equal, {age, whole(3)}), is("age", 3)));
  EXPECT_FALSE(exclude(of(Operation::not_equal, {age, whole(3)}), is("age", 4)));
}

TEST(Within, KnowsThatNullIsNoValue) {
  const Expression missing = of(Operation::is_null, {named("educ")}), there = of(Operation::logical_not, {missing});
  EXPECT_TRUE(exclude(missing, is("educ", 1)));
  EXPECT_TRUE(exclude(missing, there));
  EXPECT_FALSE(exclude(there, is("educ", 1)));
  EXPECT_TRUE(exclude(named("member"), of(Operation::logical_not, {named("member")})));
}

TEST(Within, TakesAllOfAConjunctionAndNothingOfHalfADisjunction) {
  const Expression one = is("educ", 1), two = is("educ", 2), old = is("age", 80);
  EXPECT_TRUE(exclude(of(Operation::logical_and, {one, old}), two));
  EXPECT_TRUE(exclude(of(Operation::logical_and, {old, one}), of(Operation::logical_and, {old, two})));
  EXPECT_TRUE(exclude(of(Operation::logical_or, {one, two}), is("educ", 3)));
  EXPECT_FALSE(exclude(of(Operation::logical_or, {one, old}), two));  // who is 80 may have 2
  EXPECT_FALSE(exclude(of(Operation::logical_not, {of(Operation::logical_and, {one, old})}), two));
}

// Every pair of random conditions that is said to exclude each other is looked at over all rows of a small world.
bool holds(const Expression& x, std::int64_t educ, std::int64_t age) {
  const auto value = [&](const Expression& e) {
    if (e.operation() == Operation::literal) return std::get<std::int64_t>(e.value());
    return e.column_name() == "educ" ? educ : age;
  };
  const auto& o = x.operands();
  switch (x.operation()) {
    case Operation::equal:
      return value(o[0]) == value(o[1]);
    case Operation::not_equal:
      return value(o[0]) != value(o[1]);
    case Operation::less:
      return value(o[0]) < value(o[1]);
    case Operation::greater_equal:
      return value(o[0]) >= value(o[1]);
    case Operation::logical_and:
      return std::all_of(o.begin(), o.end(), [&](const Expression& one) { return holds(one, educ, age); });
    case Operation::logical_or:
      return std::any_of(o.begin(), o.end(), [&](const Expression& one) { return holds(one, educ, age); });
    default:
      return false;
  }
}

Expression random_condition(std::uint32_t& state, int depth) {
  const auto next = [&](std::uint32_t n) { return (state = state * 1664525U + 1013904223U) / 65536U % n; };
  if (depth > 0 && next(2) == 0) {
    const auto a = random_condition(state, depth - 1), b = random_condition(state, depth - 1);
    return of(next(2) == 0 ? Operation::logical_and : Operation::logical_or, {a, b});
  }
  const Operation which =
      std::array{Operation::equal, Operation::not_equal, Operation::less, Operation::greater_equal}[next(4)];
  return of(which, {named(next(2) == 0 ? "educ" : "age"), whole(static_cast<std::int64_t>(next(5)))});
}

TEST(Within, NeverSeparatesConditionsThatARowSatisfiesTogether) {
  std::uint32_t state = 7;
  int separated = 0;
  for (int i = 0; i < 4000; ++i) {
    const Expression a = random_condition(state, 2), b = random_condition(state, 2);
    if (!exclude_each_other(within(a), within(b))) continue;
    ++separated;
    for (std::int64_t educ = -1; educ < 7; ++educ) {
      for (std::int64_t age = -1; age < 7; ++age) EXPECT_FALSE(holds(a, educ, age) && holds(b, educ, age));
    }
  }
  EXPECT_GT(separated, 300);
}

}  // namespace
}  // namespace vernier::query
