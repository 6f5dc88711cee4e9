#include "vernier/query/study.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"
#include "support/query_files.hpp"

namespace vernier::query {
namespace {

using numeric::Rational;

Study study_of(const std::string& text) {
  Reading<Study> reading = examine_study_text("work/study.toml", text);
  EXPECT_EQ(problems_text("study.toml", reading.problems), "");
  return std::move(reading.content).value();
}

std::string said(const std::string& text) {
  std::string all;
  for (const Problem& problem : examine_study_text("s", text).problems)
    all += located("", problem).sentence().substr(1) + "\n";
  return all;
}

TEST(Study, SaysWhatTheFileSays) {
  const Study study = study_of(example_study);
  EXPECT_EQ(study.catalog, "work/catalog.toml");
  EXPECT_EQ(study.alpha, Rational::of_decimal("0.05").value());
  EXPECT_EQ(study.budget->epsilon, Rational::of(1));
  EXPECT_EQ(study.budget->delta, Rational::of_decimal("1e-7").value());
  ASSERT_EQ(study.statistics.size(), 2U);
  const Statistic& income = study.statistics[0];
  EXPECT_EQ(income.name, "income by region");
  EXPECT_EQ(income.sql.substr(0, 14), "SELECT region,");
  ASSERT_EQ(income.accuracy.size(), 2U);
  EXPECT_EQ(income.accuracy[0].column, "people");
  EXPECT_EQ(income.accuracy[1].accuracy, Rational::of_decimal("800.5").value());
  EXPECT_EQ(income.weight, Rational::of(1));
  EXPECT_EQ(income.max_groups, 2);
  EXPECT_EQ(income.max_rows, 3);
  const std::string with_rows = changed(example_study, "max_rows = 3", "max_rows = 3\ntypical_rows = 1000000000000");
  EXPECT_EQ(study_of(with_rows).statistics[0].typical_rows, 1'000'000'000'000);
  EXPECT_EQ(income.place, (Place{5, 1}));
  EXPECT_EQ(income.sql_place, (Place{7, 7}));
}

// Exactly so much of the size, whatever its sign and the case of its column.
TEST(Study, TakesAnAccuracyAsAShareOfATypicalSize) {
  const auto target = [](const std::string& accuracy, const std::string& typical) {
    const Study study =
        study_of("catalog = \"c\"\n[[statistic]]\nname = \"a\"\nsql = \"SELECT 1\"\naccuracy = { n = " + accuracy +
                 " }\ntypical = { " + typical + " }\n");
    return study.statistics[0].accuracy[0].accuracy;
  };
  EXPECT_EQ(target("\"5%\"", "n = 40000"), Rational::of(2000));
  EXPECT_EQ(target("\"0.1 %\"", "N = -0.3"), Rational::of_decimal("0.0003").value());
  EXPECT_EQ(target("\"100%\"", "n = 7"), Rational::of(7));
}

// And nothing besides it: not that there is none, nor what would follow from another one.
TEST(StudyRules, TellWhatIsWrongWithAnAccuracyThatIsThere) {
  const auto says = [](const std::string& accuracy) {
    return said("catalog = \"c\"\n[[statistic]]\nname = \"a\"\nsql = \"SELECT 1\"\naccuracy = " + accuracy + "\n");
  };
  EXPECT_EQ(
      says("50"),
      "5:12: accuracy of the statistic 'a' must be a table such as { people = 50 }, with a number for each output "
      "column, but it is the number 50\n");
  EXPECT_EQ(
      says("{}"),
      "5:12: accuracy of the statistic 'a' is empty; write for example { people = 50 }, or leave it out where the "
      "study has a budget\n");
  EXPECT_EQ(says("{ n = \"500%\" }\ntypical = { n = 100 }"),
            "5:18: the accuracy of 'n' of the statistic 'a' is the share '500%', which must be above 0 % and at most "
            "100 %; write such as \"5%\"\n");
}

TEST(Study, HasTheseDefaults) {
  const Study study =
      study_of("catalog = \"/etc/c.toml\"\n[[statistic]]\nname = \"a\"\nsql = \"SELECT 1\"\naccuracy = { n = 0.1 }\n");
  EXPECT_EQ(study.catalog, "/etc/c.toml");
  EXPECT_EQ(study.alpha, Rational::of_decimal("0.05").value());
  EXPECT_FALSE(study.budget);
  EXPECT_FALSE(study.statistics[0].max_groups);  // as the table says, or 1
  EXPECT_FALSE(study.statistics[0].max_rows);
  EXPECT_EQ(study.statistics[0].typical_rows, 1000);
  EXPECT_EQ(study.statistics[0].accuracy[0].accuracy, Rational::of_decimal("0.1").value());
  EXPECT_EQ(study_of(example_study).statistics[1].weight, Rational::of_decimal("2.5").value());
}

struct Rule {
  const char* old;
  const char* now;
  const char* said;
};

const std::vector<Rule> rules = {
    {"catalog = \"catalog.toml\"", "", "1:1: the study has no catalog; write for example catalog = \"catalog.toml\"\n"},
    {"catalog = \"catalog.toml\"", "catalog = \"\"",
     "1:11: catalog of the study must be the path of the catalog, but it is empty\n"},
    {"catalog = \"catalog.toml\"", "catalogue = \"catalog.toml\"",
     "1:1: the study has no catalog; write for example catalog = \"catalog.toml\"\n"
     "1:1: the study takes no key 'catalogue' (did you mean catalog?); its keys are alpha, budget, catalog, "
     "components, regression, series, statistic and table\n"},
    {"alpha = 0.05", "alpha = 1.0",
     "2:9: alpha of the study must be between 1e-200 and 0.5, such as 0.05, but it is the number 1.0\n"},
    {"alpha = 0.05", "alpha = 0.95",
     "2:9: alpha of the study is the chance that an interval misses, and the number 0.95 is more than one in two; "
     "write "
     "alpha = 0.05 for a confidence of 95 %\n"},
    {"alpha = 0.05", "alpha = \"5 %\"",
     "2:9: alpha of the study must be a number such as 0.5, but it is the text \"5 %\"\n"},
    {"budget = { epsilon = 1.0, delta = 1e-7 }", "budget = { delta = 1e-7 }",
     "3:10: the budget has no epsilon; write for example epsilon = 1.0\n"},
    {"budget = { epsilon = 1.0, delta = 1e-7 }", "budget = { epsilon = 1.0, ledger = \"x\" }",
     "3:27: the budget takes no key 'ledger'; its keys are delta and epsilon\n"},
    {"budget = { epsilon = 1.0, delta = 1e-7 }", "budget = 1.0",
     "3:10: budget of the study must be a table such as { epsilon = 1.0, delta = 1e-7 }, but it is the number 1.0\n"},
    {"budget = { epsilon = 1.0, delta = 1e-7 }", "",
     "12:1: the statistic 'all' states no accuracy and the study no budget; write budget = { epsilon = 1.0, delta = "
     "1e-7 } "
     "at the head of the study, or an accuracy here\n"},
    {"name = \"all\"", "", "12:1: this statistic has no name; write for example name = \"income by region\"\n"},
    {"name = \"all\"", "name = \"Income by Region\"",
     "12:1: the statistic 'Income by Region' has the name of the one in line 5, up to case; give each a name of its "
     "own, "
     "since files are named so\n"},
    {"name = \"all\"", "name = \"a\\nb\"",
     "13:8: a statistic cannot have this name, since it has a control character or one that cannot be seen; choose "
     "another\n"},
    {"name = \"all\"", "name = 3",
     "13:8: name of this statistic must be a text in double quotes such as \"income by region\", but it is the number "
     "3\n"},
    {"sql = \"\"\"\nSELECT COUNT(*) AS people\nFROM people\"\"\"", "",
     "12:1: the statistic 'all' has no sql; write for example sql = \"SELECT COUNT(*) AS people FROM people\"\n"},
    {"sql = \"\"\"\nSELECT COUNT(*) AS people\nFROM people\"\"\"", "sql = \" \\n\"",
     "14:7: sql of the statistic 'all' must be a SELECT statement, but it is empty or has a null character; write for "
     "example SELECT COUNT(*) AS people FROM people\n"},
    {"accuracy = { people = 50, income = 800.5 }", "accuracy = 50",
     "8:12: accuracy of the statistic 'income by region' must be a table such as { people = 50 }, with a number for "
     "each "
     "output column, but it is the number 50\n"},
    {"accuracy = { people = 50, income = 800.5 }", "accuracy = {}",
     "8:12: accuracy of the statistic 'income by region' is empty; write for example { people = 50 }, or leave it "
     "out where the study has a budget\n"},
    {"people = 50, income", "people = 0, income",
     "8:23: the accuracy of 'people' of the statistic 'income by region' is 0, which would be a number without noise; "
     "write how far it may be off, such as 50\n"},
    {"people = 50, income", "people = -5, income",
     "8:23: the accuracy of 'people' of the statistic 'income by region' must be a number above 0 such as 50, but it "
     "is the number -5\n"},
    {"people = 50, income", "people = \"50\", income",
     "8:23: the accuracy of 'people' of the statistic 'income by region' is the text '50'; write 50 without quotes\n"},
    {"people = 50, income", "people = \"5%\", income",
     "8:23: the accuracy of 'people' of the statistic 'income by region' is a share of a value that nobody has stated; "
     "write typical = { people = 2000 } with a value that you expect, or an accuracy without %\n"},
    {"people = 50, income", "people = \"0%\", income",
     "8:23: the accuracy of 'people' of the statistic 'income by region' is the share '0%', which must be above 0 % "
     "and "
     "at most 100 %; write such as \"5%\"\n"},
    {"max_rows = 3", "typical = { people = 2000 }",
     "10:13: the typical size of 'people' of the statistic 'income by region' is not used, since its accuracy is no "
     "share of it; write the accuracy in percent, such as \"5%\", or leave it out\n"},
    {"weight = 2.5", "typical = { people = 0 }",
     "17:22: the typical size of 'people' of the statistic 'all' must be a number other than 0, but it is the number "
     "0; "
     "write a value that you expect, such as 2000\n"},
    {"people = 50, income", "income = 50, Income",
     "8:27: the accuracy of 'Income' of the statistic 'income by region' is given as 'income' already, up to case; "
     "write "
     "it once\n"},
    {"weight = 2.5", "weight = 0",
     "17:10: weight of the statistic 'all' must be between 1e-6 and 1e6, where 1 is usual, but it is the number 0\n"},
    {"weight = 2.5", "max_grups = 1",
     "17:1: the statistic 'all' takes no key 'max_grups' (did you mean max_groups?); its keys are accuracy, alpha, "
     "at_least, "
     "clamped_share, covers, denoise, differences, guaranteed, max_groups, max_rows, name, seen, simultaneous, sql, "
     "typical, typical_rows and weight\n"},
    {"max_groups = 2", "max_groups = 0",
     "9:14: max_groups of the statistic 'income by region' must be a whole number from 1 to 1000000, but it is the "
     "number "
     "0\n"},
    {"max_rows = 3", "max_rows = 2.5",
     "10:12: max_rows of the statistic 'income by region' must be a whole number from 1 to 1000000000, but it is the "
     "number 2.5\n"},
    {"max_rows = 3", "typical_rows = 0",
     "10:16: typical_rows of the statistic 'income by region' must be a whole number from 1 to 1000000000000, but it "
     "is "
     "the number 0\n"},
};

TEST(Study, NeedNotNameACatalogWhereWhoeverRunsItDoes) {
  const std::string text = "[[statistic]]\nname = \"n\"\nsql = \"SELECT COUNT(*) AS n FROM t\"\naccuracy = { n = 5 }\n";
  EXPECT_FALSE(examine_study_text("work/study.toml", text).content);
  const Reading<Study> reading = examine_study_text("work/study.toml", text, CatalogOf::runner);
  ASSERT_TRUE(reading.content);
  EXPECT_TRUE(reading.content->catalog.empty());
  const std::string named = "catalog = \"c.toml\"\n" + text;
  EXPECT_EQ(examine_study_text("work/study.toml", named, CatalogOf::runner).content->catalog, "work/c.toml");
}

TEST(StudyRules, EachHasItsSentence) {
  for (const Rule& rule : rules) {
    const std::string text = changed(example_study, rule.old, rule.now);
    ASSERT_FALSE(text.empty()) << rule.old;
    EXPECT_EQ(said(text), rule.said) << rule.now;
  }
}

TEST(StudyRules, OfTheListOfStatistics) {
  const std::string head = "catalog = \"c.toml\"\n";
  const std::string example =
      "[[statistic]] and below it name = \"people\" and sql = \"SELECT COUNT(*) AS people FROM people\"\n";
  EXPECT_EQ(said(head), "1:1: the study has no statistic; write for example " + example);
  EXPECT_EQ(said(head + "[statistic]\nname = \"a\"\n"), "2:1: a study has its statistics in a list; write " + example);
  EXPECT_EQ(said(head + "statistic = []\n"), "2:13: a study has its statistics in a list; write " + example);
  EXPECT_EQ(said(head + "budget = { epsilon = 1 }\nstatistic = [3]\n"),
            "3:14: a statistic must be a table that begins with [[statistic]], but it is the number 3\n");
}

TEST(Study, IsOneSentenceWhenItCannotBeUsed) {
  const std::string path = testing::own_folder() + "broken_study.toml";
  std::ofstream(path) << "catalog = 1\n[[statistic]]\n";
  const Result<Study> study = read_study(path);
  ASSERT_FALSE(study);
  EXPECT_EQ(study.error().sentence().find(path + ":1:11: catalog of the study must be a text"), 0U);
  EXPECT_NE(study.error().sentence().find("more problems in this file)"), std::string::npos);
  std::ofstream(path) << example_study;
  EXPECT_TRUE(read_study(path));
  EXPECT_EQ(read_study(path + ".none").error().kind, ErrorKind::system);
}

}  // namespace
}  // namespace vernier::query
