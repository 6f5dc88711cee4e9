#include <gtest/gtest.h>

#include "support/bound_studies.hpp"

namespace vernier::plan {
namespace {

using query::Value;
using testing::said;
using testing::statistic_of;

std::string keys_text(const std::string& key) {
  const BoundStatistic bound = statistic_of("SELECT " + key + " AS k, COUNT(*) FROM people GROUP BY 1");
  if (!bound.keys.are_public) return "private";
  std::string text;
  for (const std::vector<Value>& cell : bound.keys.cells) text.append(" ").append(text_of(cell.front()));
  return text.substr(1);
}

TEST(Keys, AreListedWhereCatalogAndStatementKnowThem) {
  EXPECT_EQ(keys_text("region"), "north south east");
  EXPECT_EQ(keys_text("member"), "false true");
  EXPECT_EQ(keys_text("educ > 12"), "false true");
  EXPECT_EQ(keys_text("BUCKET(educ, 5)"), "0 5 10 15");
  EXPECT_EQ(keys_text("BUCKET(debt, 30)"), "-60 -30 0");
  EXPECT_EQ(keys_text("BUCKET(share, 0.5)"), "-0.5 0 0.5 1");
  EXPECT_EQ(keys_text("EXTRACT(quarter FROM seen)"), "1 2 3 4");
  EXPECT_EQ(keys_text("EXTRACT(dow FROM seen)"), "0 1 2 3 4 5 6");
  EXPECT_EQ(keys_text("EXTRACT(year FROM born)"), "1950 1951 1952 1953");
  EXPECT_EQ(keys_text("CASE WHEN educ > 12 THEN 'high' WHEN educ > 8 THEN 'mid' ELSE 'high' END"), "high mid");
  EXPECT_EQ(keys_text("CASE WHEN educ > 12 THEN 7 WHEN educ > 3 THEN NULL ELSE BUCKET(educ, 8) END"), "7 0 8 16");
  EXPECT_EQ(keys_text("COALESCE(region, 'unknown')"), "north south east unknown");
}

TEST(Keys, ArePrivateElsewhere) {
  for (const char* const key :
       {"city", "educ", "educ + 1", "EXTRACT(year FROM seen)", "COALESCE(city, 'x')", "born",
        "CASE WHEN member THEN educ ELSE 0 END", "CAST(region AS VARCHAR) = 'a' AND city = 'b'"}) {
    const std::string expected = std::string(key).find(" = ") != std::string::npos ? "false true" : "private";
    EXPECT_EQ(keys_text(key), expected) << key;
  }
  EXPECT_EQ(keys_text("BUCKET(educ, 1)"), "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16");
}

TEST(Keys, OfSeveralAreTheirProductOrPrivate) {
  const Keys keys = statistic_of("SELECT region, member, COUNT(*) FROM people GROUP BY region, member").keys;
  ASSERT_EQ(keys.cells.size(), 6U);
  EXPECT_EQ(keys.cells[1], (std::vector<Value>{std::string("north"), true}));
  EXPECT_EQ(keys.cells[4], (std::vector<Value>{std::string("east"), false}));
  EXPECT_EQ(keys.groups().count, 6);
  EXPECT_FALSE(statistic_of("SELECT region, city, COUNT(*) FROM people GROUP BY region, city").keys.are_public);
  const Keys none = statistic_of("SELECT COUNT(*) FROM people").keys;
  EXPECT_TRUE(none.are_public);
  EXPECT_EQ(none.cells, (std::vector<std::vector<Value>>{{}}));
}

TEST(Keys, AreAtMostAMillion) {
  const std::string many = "SELECT BUCKET(income, 0.125) AS k, COUNT(*) AS n FROM people GROUP BY 1";
  EXPECT_EQ(said(many),
            "work/study.toml:5:7: "
            "the keys have more than 1,000,000 values together; take wider buckets or fewer keys");
  EXPECT_EQ(statistic_of("SELECT BUCKET(income, 0.25) AS k, COUNT(*) AS n FROM people WHERE income < 1 GROUP BY 1", "",
                         "[tables.people]\nsource = \"p.csv\"\nunit = \"row\"\n[tables.people.columns]\nincome = { "
                         "type = \"real\", lower = 0, upper = 249999.5, granularity = 0.5 }\n")
                .keys.cells.size(),
            999999U);
  EXPECT_NE(said("SELECT BUCKET(income, 1) AS k, BUCKET(educ, 1) AS e, COUNT(*) AS n FROM people GROUP BY 1, 2"), "");
}

}  // namespace
}  // namespace vernier::plan
