#include "server/access/rates.hpp"

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

int let_through(Rates& rates, const std::string& name, Pace pace, double at, int asked) {
  int count = 0;
  for (int i = 0; i < asked; ++i) count += rates.wait_of(name, pace, at) ? 0 : 1;
  return count;
}

TEST(Rates, LetSoManyThroughAtOnceAndThenSoManyInATime) {
  struct Case {
    Pace pace;
    int at_once;
    double per_second;
  };
  for (const Case& one :
       {Case{Pace::plan, 30, 10}, {Pace::heavy, 10, 2}, {Pace::verify, 6, 0.1}, {Pace::release, 6, 0.1}}) {
    Rates rates;
    EXPECT_EQ(let_through(rates, "anna", one.pace, 1000, 100), one.at_once);
    EXPECT_EQ(let_through(rates, "anna", one.pace, 1000 + 1.001 / one.per_second, 100), 1);
    EXPECT_EQ(let_through(rates, "anna", one.pace, 1000 + 1e6, 100), one.at_once);  // never more than at once
  }
}

TEST(Rates, SayHowLongToWait) {
  Rates rates;
  let_through(rates, "anna", Pace::release, 0, 6);
  const std::optional<int> wait = rates.wait_of("anna", Pace::release, 0);
  ASSERT_TRUE(wait);
  EXPECT_EQ(*wait, 10);
  EXPECT_TRUE(rates.wait_of("anna", Pace::release, 9.9));
  EXPECT_FALSE(rates.wait_of("anna", Pace::release, 10.01));
}

TEST(Rates, AreOfEachPersonAndEachKindAlone) {
  Rates rates;
  let_through(rates, "anna", Pace::plan, 0, 30);
  EXPECT_TRUE(rates.wait_of("anna", Pace::plan, 0));
  EXPECT_FALSE(rates.wait_of("ben", Pace::plan, 0));
  EXPECT_FALSE(rates.wait_of("anna", Pace::heavy, 0));
  EXPECT_EQ(let_through(rates, "anna", Pace::any, 0, 1000), 1000);
}

}  // namespace
}  // namespace vernier::server
