#include "vernier/study/edit.hpp"

#include <gtest/gtest.h>

namespace vernier::study {
namespace {

const std::string text = R"(# head
alpha = 0.05   # one in twenty
budget = { epsilon = 1.0, delta = 1e-7 }

[[statistic]]
name = "größe"   # a name with letters of two bytes
sql = """SELECT region, COUNT(*) AS people, AVG(age) AS "mean age"
[not a header] FROM people GROUP BY region"""
accuracy = { people = 50, "mean age" = 0.5 } # both

# the second one
[[statistic]]
name = "all"
sql = 'SELECT COUNT(*) AS n FROM people' # no target
weight = 2

[[statistic]]
sql = "SELECT 1 # no comment"
name = "last"
)";

const Text study{"study.toml", text};

std::string with(std::string from, const std::string& old, const std::string& now) {
  return from.replace(from.find(old), old.size(), now);
}

TEST(Edit, ChangesTheNumberOfATargetAndNothingElse) {
  EXPECT_EQ(with_target(study, "größe", "people", "25").value(), with(text, "people = 50", "people = 25"));
  EXPECT_EQ(with_target(study, "größe", "PEOPLE", "25").value(), with(text, "people = 50", "people = 25"));
  EXPECT_EQ(with_target(study, "größe", "mean age", "1e-1").value(), with(text, "age\" = 0.5", "age\" = 1e-1"));
}

TEST(Edit, AddsATargetWhereThereIsNone) {
  EXPECT_EQ(with_target(study, "all", "n", "25").value(),
            with(text, "# no target\n", "# no target\naccuracy = { n = 25 }\n"));
  EXPECT_EQ(with_target(study, "größe", "a b", "2").value(), with(text, "= 0.5 }", "= 0.5, \"a b\" = 2 }"));
  EXPECT_EQ(with_target(study, "last", "x", "2").value(),
            with(text, "no comment\"\n", "no comment\"\naccuracy = { x = 2 }\n"));
}

TEST(Edit, TakesATargetAway) {
  EXPECT_EQ(without_target(study, "größe", "people").value(),
            with(text, "{ people = 50, \"mean age\" = 0.5 }", "{ \"mean age\" = 0.5 }"));
  const Text one{"study.toml", with(text, "people = 50, ", "")};
  EXPECT_EQ(without_target(one, "größe", "mean age").value(),
            with(text, "accuracy = { people = 50, \"mean age\" = 0.5 } # both\n", ""));
  EXPECT_EQ(without_target(study, "all", "n").value(), text);
}

TEST(Edit, ChangesHeadAndWeights) {
  EXPECT_EQ(with_budget(study, "2.5", {}).value(), with(text, "epsilon = 1.0", "epsilon = 2.5"));
  EXPECT_EQ(with_budget(study, {}, "0").value(), with(text, "epsilon = 1.0, delta = 1e-7", "epsilon = 1.0"));
  EXPECT_EQ(with_alpha(study, "0.01").value(), with(text, "alpha = 0.05", "alpha = 0.01"));
  EXPECT_EQ(with_weight(study, "all", "0.25").value(), with(text, "weight = 2", "weight = 0.25"));
  EXPECT_EQ(with_weight(study, "last", "3").value(), with(text, "no comment\"\n", "no comment\"\nweight = 3\n"));
}

TEST(Edit, AddsAndRemovesStatistics) {
  const std::string added = with_statistic(study, "a \"b\"", "SELECT COUNT(*)\nAS n").value();
  EXPECT_EQ(added, text + "\n[[statistic]]\nname = \"a \\\"b\\\"\"\nsql = \"SELECT COUNT(*)\\nAS n\"\n");
  EXPECT_EQ(without_row({"study.toml", added}, "a \"b\"").value(), text + "\n");
  const std::string fewer = without_row(study, "größe").value();
  EXPECT_EQ(fewer.find("größe"), std::string::npos);
  EXPECT_NE(fewer.find("[[statistic]]\nname = \"all\""), std::string::npos);
  const std::string one = without_row({"study.toml", fewer}, "all").value();
  EXPECT_FALSE(without_row({"study.toml", one}, "last")) << "a study has a statistic";
}

TEST(Edit, TakesAwayOneRowAndNothingOfTheNext) {
  EXPECT_NE(without_row(study, "größe").value().find("# the second one\n[[statistic]]"), std::string::npos);
  const std::string table = "  [[table]]\nname = \"t\"\nfrom = \"people\"\ncolumns = [\"region\"]\nup_to = 1\n";
  const std::string nested = "[[ statistic ]]\nname = \"nested\"\nsql = \"SELECT 1\"\n[statistic.accuracy]\nx = 2\n\n";
  EXPECT_EQ(without_row({"study.toml", text + nested + table}, "nested").value(), text + table);
  EXPECT_EQ(without_row({"study.toml", text + nested + table}, "t").value(), text + nested);
}

TEST(Edit, ChangesTablesAsOtherRows) {
  const std::string table = "[[table]]\nname = \"t\"\nfrom = \"people\"  # all\ncolumns = [\"region\"]\nup_to = 1\n";
  const Text both{"study.toml", text + table};
  const std::string held = with_target(both, "t", all_cells, "25").value();
  EXPECT_EQ(held, text + with(table, "# all\n", "# all\naccuracy = 25\n"));
  EXPECT_EQ(with_target({"study.toml", held}, "t", all_cells, "30").value(), with(held, "= 25", "= 30"));
  EXPECT_EQ(without_target({"study.toml", held}, "t", all_cells).value(), both.text);
  EXPECT_EQ(with_weight(both, "t", "3").value(), text + with(table, "# all\n", "# all\nweight = 3\n"));
  EXPECT_FALSE(with_target(both, "t", "people", "25"));
  const Text by_order{"study.toml", text + table + "accuracy = { 0 = 20, 1 = 40 }\n"};
  EXPECT_EQ(with_target(by_order, "t", all_cells, "25").value(), text + table + "accuracy = 25\n");
}

TEST(Edit, ChangesSeriesAsOtherRows) {
  const std::string series =
      "budget = { epsilon = 1.0, delta = 1e-7 }\n[[series]]\nname = \"s\"\nfrom = \"cases\"\nday = \"reported\"\n"
      "step = \"day\"\nstart = 2027-01-01\nend = 2027-01-31\n";
  const Text one{"study.toml", series};
  const std::string held = with_target(one, "s", "cumulative", "60").value();
  EXPECT_EQ(held, with(series, "\"cases\"\n", "\"cases\"\naccuracy = { cumulative = 60 }\n"));
  const std::string both = with_target({"study.toml", held}, "s", "last_7", "40").value();
  EXPECT_EQ(both, with(held, "60 }", "60, last_7 = 40 }"));
  EXPECT_EQ(without_target({"study.toml", both}, "s", "last_7").value(), held);
  EXPECT_EQ(with_budget(one, "2", {}).value(), with(series, "epsilon = 1.0", "epsilon = 2"));
  EXPECT_EQ(with_alpha(one, "0.01").value(), "alpha = 0.01\n" + series);
  EXPECT_FALSE(with_target(one, "s", "weekly", "5"));
  EXPECT_FALSE(with_weight(one, "s", "2"));
  EXPECT_FALSE(without_row(one, "s"));
}

TEST(Edit, ChoosesWhatElseAStatisticSays) {
  const std::string chosen = with_choice(study, "all", "covers", "population").value();
  EXPECT_EQ(chosen, with(text, "# no target\n", "# no target\ncovers = \"population\"\n"));
  EXPECT_EQ(with_choice({"study.toml", chosen}, "all", "covers", "").value(), text);
  EXPECT_EQ(with_choice(study, "all", "covers", "").value(), text);
  EXPECT_EQ(with_choice(study, "all", "max_rows", "3").value(),
            with(text, "# no target\n", "# no target\nmax_rows = 3\n"));
  EXPECT_EQ(with_choice(study, "all", "simultaneous", "true").value(),
            with(text, "# no target\n", "# no target\nsimultaneous = true\n"));
  for (const auto& [key, value] : {std::pair("covers", "everything"), std::pair("covers", "x\"\nweight = 3"),
                                   std::pair("max_rows", "0"), std::pair("max_rows", "3\nweight = 3"),
                                   std::pair("simultaneous", "yes"), std::pair("weight", "3"), std::pair("sql", "x")}) {
    EXPECT_FALSE(with_choice(study, "all", key, value)) << key << value;
  }
}

TEST(Edit, RefusesWhatIsNoNumberAndWhatIsNotThere) {
  for (const char* const number :
       {"", "x", "-1", "0", "1 }\nx = 2", "inf", "nan", "0x10", "1_0", ".5", "5.", "007", "+1"}) {
    EXPECT_FALSE(with_target(study, "all", "n", number)) << number;
    EXPECT_FALSE(with_budget(study, number, {})) << number;
  }
  EXPECT_FALSE(with_target(study, "none", "n", "5"));
  EXPECT_FALSE(without_row(study, "none"));
  EXPECT_FALSE(with_statistic(study, "all", "SELECT 1")) << "names differ";
  EXPECT_FALSE(with_statistic(study, "a\nb", "SELECT 1")) << "no name";
  EXPECT_FALSE(with_target({"study.toml", "x = ["}, "all", "n", "5"));
}

TEST(Edit, RefusesWhatIsWrittenOtherwise) {
  const Text section{"study.toml",
                     with(text, "accuracy = { people = 50, \"mean age\" = 0.5 } # both", "accuracy.people = 50")};
  EXPECT_EQ(with_target(section, "größe", "people", "9").value(), with(section.text, "people = 50", "people = 9"));
  EXPECT_FALSE(with_target(section, "größe", "mean age", "9"));
}

}  // namespace
}  // namespace vernier::study
