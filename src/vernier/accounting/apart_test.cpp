#include <vector>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "vernier/accounting/methods.hpp"

namespace vernier::accounting {
namespace {

using test::event;

TEST(WhyApart, IsSaidFromAThousandthOn) {
  const std::vector<Event> plain{event(test::laplace(1))}, stated{event(test::zcdp(0.1)), event(test::laplace(1))};
  EXPECT_FALSE(why_apart({0.9991, 1}, Figure::epsilon, plain));
  EXPECT_FALSE(why_apart({0, 0}, Figure::delta, plain));
  EXPECT_TRUE(why_apart({0.9989, 1}, Figure::epsilon, plain)->starts_with("The sum of these losses"));
  EXPECT_TRUE(why_apart({0.9, 1}, Figure::delta, stated)->starts_with("A zCDP statement"));
  EXPECT_TRUE(why_apart({0, 1e-10}, Figure::epsilon, plain)->starts_with("An epsilon of at most 1e-9"));
  EXPECT_TRUE(why_apart({0, 5e-324}, Figure::delta, plain)->starts_with("A delta of at most 1e-250"));
}

// A list of zCDP statements alone has its gap, and its reason.
TEST(WhyApart, FollowsTheAnswer) {
  const std::vector<Event> stated{event(test::zcdp(0.1)), event(test::laplace(1))};
  EXPECT_TRUE(why_apart(test::epsilon_of(stated, 1e-6).bounds, Figure::epsilon, stated));
}

}  // namespace
}  // namespace vernier::accounting
