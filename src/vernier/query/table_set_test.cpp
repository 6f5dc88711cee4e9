#include "vernier/query/table_set.hpp"

#include <gtest/gtest.h>

#include "support/query_files.hpp"
#include "vernier/query/study.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

const std::string head = "catalog = \"c.toml\"\nbudget = { epsilon = 1, delta = 1e-7 }\n";
const std::string plain = head + R"([[table]]
name = "people"
from = "people"
columns = ["sex", "BUCKET(age, 5) AS age"]
up_to = 2
)";

std::string said(const std::string& text) {
  std::string all;
  const auto reading = examine_study_text("s", text);
  for (const Problem& problem : reading.problems) all += located("", problem).sentence().substr(1) + "\n";
  return all;
}

Study study_of(const std::string& text) {
  Reading<Study> reading = examine_study_text("work/study.toml", text);
  EXPECT_EQ(problems_text("study.toml", reading.problems), "");
  return std::move(reading.content).value();
}

TEST(TableSet, SaysWhatTheFileSaysAndNeedsNoStatistic) {
  const Study study = study_of(plain);
  EXPECT_TRUE(study.statistics.empty());
  ASSERT_EQ(study.tables.size(), 1U);
  const TableSet& set = study.tables[0];
  EXPECT_EQ(set.name, "people");
  EXPECT_EQ(set.up_to, 2);
  EXPECT_EQ(set.columns.size(), 2U);
  EXPECT_EQ(set.rest, "other");
  EXPECT_EQ(set.even, Evenness::cells);
  EXPECT_TRUE(set.accuracy.empty());
  EXPECT_EQ(set.statement(),
            "SELECT sex, BUCKET(age, 5) AS age, COUNT(*) AS \"count of rows\" FROM people GROUP BY 1, 2");
}

TEST(TableSet, HasItsOtherKeys) {
  const TableSet set = study_of(changed(plain, "up_to = 2", R"(tables = [["sex", "age"], []]
where = "age > 3 OR age < 2"
even = "total"
rest = false
weight = 2.5
simultaneous = true)"))
                           .tables[0];
  EXPECT_EQ(set.tables, (std::vector<std::vector<std::string>>{{"sex", "age"}, {}}));
  EXPECT_EQ(set.even, Evenness::total);
  EXPECT_EQ(set.rest, std::nullopt);
  EXPECT_TRUE(set.is_simultaneous);
  EXPECT_NE(set.statement().find("WHERE (age > 3 OR age < 2) GROUP"), std::string::npos);
}

TEST(TableSet, TakesAccuraciesInThreeForms) {
  const auto targets = [](const std::string& accuracy) {
    return study_of(plain + "accuracy = " + accuracy + "\n").tables[0].accuracy;
  };
  EXPECT_EQ(targets("50")[0].accuracy, Rational::of(50));
  const auto by_order = targets("{ 0 = 20, 1 = 40.5, 2 = 80 }");
  ASSERT_EQ(by_order.size(), 3U);
  EXPECT_EQ(by_order[1].order, 1);
  EXPECT_EQ(by_order[1].accuracy, Rational::of_decimal("40.5").value());
  const auto by_table = targets("[{ table = [\"sex\"], accuracy = 10 }]");
  EXPECT_EQ(by_table[0].table, (std::vector<std::string>{"sex"}));
}

TEST(TableSet, RefusesWhatItIsNot) {
  const auto says = [](const std::string& from, const std::string& to, const std::string& sentence) {
    const std::string all = said(changed(plain, from, to));
    EXPECT_NE(all.find(sentence), std::string::npos) << all;
  };
  says("up_to = 2", "", "does not say which tables it has");
  says("up_to = 2", "up_to = 2\ntables = [[]]", "has up_to and tables");
  says("up_to = 2", "up_to = 11", "up_to");
  says("up_to = 2", "up_to = 2\naccuracy = 0", "must be above 0");
  says("up_to = 2", "up_to = 2\naccuracy = { one = 3 }", "by order");
  says("up_to = 2", "up_to = 2\neven = \"odd\"", "even of the table 'people'");
  says("up_to = 2", "up_to = 2\nrest = true", "must be the name of a key");
  says("up_to = 2", "up_to = 2\npublic = []", "is not supported yet");
  says("up_to = 2", "up_to = 2\nlevel = 3", "takes no key 'level'");
  says("columns = [\"sex\", \"BUCKET(age, 5) AS age\"]", "columns = []", "must be a list of 1 to 200 columns");
  says("from = \"people\"", "from = \"people; DROP\"", "semicolon or a comment");
  says("from = \"people\"", "", "from");
  says("budget = { epsilon = 1, delta = 1e-7 }", "", "states no accuracy and the study no budget");
}

TEST(TableSet, HasANameOfItsOwnAmongTablesAndStatistics) {
  const std::string both = plain + "[[statistic]]\nname = \"People\"\nsql = \"SELECT COUNT(*) AS n FROM people\"\n";
  EXPECT_NE(said(both).find("has the name of the one in line"), std::string::npos);
}

}  // namespace
}  // namespace vernier::query
