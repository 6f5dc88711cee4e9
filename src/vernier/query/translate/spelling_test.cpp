#include "vernier/query/translate/spelling.hpp"

#include <gtest/gtest.h>

namespace vernier::query {
namespace {

TEST(Spelling, BackticksBecomeQuotesAtTheSamePlace) {
  EXPECT_EQ(respelled("SELECT `a b` FROM `t`"), "SELECT \"a b\" FROM \"t\"");
  EXPECT_EQ(respelled("SELECT '`a`' -- `b`\n"), "SELECT '`a`' -- `b`\n");
  EXPECT_EQ(respelled("SELECT `a\"b`"), "SELECT `a\"b`");
  EXPECT_EQ(respelled("``"), "``");
  EXPECT_EQ(respelled("`a"), "`a");
}

TEST(Spelling, TopBecomesLimit) {
  EXPECT_EQ(respelled("SELECT TOP 10 a FROM t ;"), "SELECT        a FROM t\nLIMIT 10\n ;");
  EXPECT_EQ(respelled("select distinct top (3) a FROM t"), "select distinct         a FROM t\nLIMIT 3\n");
  EXPECT_EQ(respelled("/* x */ SELECT TOP 2 a FROM \"t\"; -- b"), "/* x */ SELECT       a FROM \"t\"\nLIMIT 2\n; -- b");
  EXPECT_EQ(respelled("WITH u AS (SELECT a FROM t) SELECT TOP 2 a FROM u"),
            "WITH u AS (SELECT a FROM t) SELECT       a FROM u\nLIMIT 2\n");
  EXPECT_EQ(respelled("SELECT TOP 10 PERCENT a FROM t"), "SELECT TOP 10 PERCENT a FROM t");
  EXPECT_EQ(respelled("SELECT top FROM t"), "SELECT top FROM t");
  EXPECT_EQ(respelled("SELECT 'TOP 10' FROM t"), "SELECT 'TOP 10' FROM t");
}

TEST(Spelling, OptionsOfGoogleSqlAreLeftOut) {
  const std::string options = "WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1, delta=f(2), x='a)')";
  EXPECT_EQ(respelled("SELECT " + options + " COUNT(*) FROM t"),
            "SELECT " + std::string(options.size(), ' ') + " COUNT(*) FROM t");
  EXPECT_EQ(respelled("WITH x AS (SELECT 1) SELECT 1"), "WITH x AS (SELECT 1) SELECT 1");
}

TEST(Spelling, WhatHasNoEffectIsTold) {
  EXPECT_TRUE(without_effect("SELECT COUNT(*) FROM options WHERE a = 'WITH DIFFERENTIAL_PRIVACY'").empty());
  const auto told = without_effect("SELECT WITH DIFFERENTIAL_PRIVACY OPTIONS(epsilon=1) COUNT(*) FROM t");
  ASSERT_EQ(told.size(), 1U);
  EXPECT_NE(told.front().find("OPTIONS says has no effect"), std::string::npos);
  EXPECT_EQ(without_effect("SELECT SUM(x, contribution_bounds_per_group => (0, 1)) FROM t").size(), 1U);
}

}  // namespace
}  // namespace vernier::query
