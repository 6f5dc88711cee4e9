#include <cmath>

#include "support/table_studies.hpp"
#include "vernier/plan/tables/summary.hpp"
#include "vernier/study/table_documents.hpp"

// From [[table]] to files of cells that a stranger can verify.
namespace vernier::study {
namespace {

namespace fs = std::filesystem;

using testing::table_cells;
using testing::tables_study;
using Cells = testing::TableCells;

class SlowTables : public testing::TableStudies {};

// With epsilon 20 a reach is a few rows; eight of them are missed less than once in 10^50.
TEST_F(SlowTables, ReleasesTablesThatAddUpAndVerifiesThem) {
  const Result<Answer> answer = released();
  ASSERT_TRUE(answer) << answer.error().sentence();
  const Cells total = table_cells(path("published/people.order-0.csv"), 3);
  const Cells ones = table_cells(path("published/people.order-1.csv"), 3);
  const Cells twos = table_cells(path("published/people.order-2.csv"), 3);
  EXPECT_EQ(total.size(), 1U);
  EXPECT_EQ(ones.size(), 3U + 4 + 3);  // with the key of what is not declared
  EXPECT_EQ(twos.size(), 12U + 9 + 12);
  EXPECT_NEAR(total.at(",,,")[0], 1000, 40);  // one row of each unit
  EXPECT_NEAR(ones.at(",other,,")[0], 200, 40);
  EXPECT_NEAR(ones.at("f,,,")[0], 250, 40);
  double sum = 0, of_females = 0;
  for (const char* const region : {"north", "south", "east", "other"}) {
    for (const char* const sex : {"f", "m", "other"}) sum += twos.at(std::string(sex) + "," + region + ",,")[0];
    of_females += twos.at(std::string("f,") + region + ",,")[0];
  }
  EXPECT_NEAR(sum, total.at(",,,")[0], 1e-9);
  EXPECT_NEAR(of_females, ones.at("f,,,")[0], 1e-9);
  for (const auto& [keys, cell] : twos) {
    EXPECT_LE(cell[2], cell[1]) << keys;
    EXPECT_LE(cell[1], cell[3]) << keys;
    EXPECT_GE(cell[2], 0) << keys;
  }
  const release::Verdict found = verdict();
  EXPECT_TRUE(found.holds()) << found.first_problem.value_or("");
  EXPECT_EQ(found.checks[found.checks.size() - 2].name, "cells");
}

TEST_F(SlowTables, AreRefusedWhereAFileOfCellsOrContrastsWasChanged) {
  ASSERT_TRUE(released());
  for (const char* const file : {"people.order-1.csv", "people.contrasts.txt"}) {
    std::ifstream in(path("published") / file);
    const std::string content((std::istreambuf_iterator<char>(in)), {});
    std::string other = content;
    other[other.find_last_of("0123456789")] ^= 1;
    write(std::string("published/") + file, other);
    EXPECT_FALSE(verdict().holds()) << file;
    write(std::string("published/") + file, content);
  }
  EXPECT_TRUE(verdict().holds());
}

TEST_F(SlowTables, ShareOneBudgetWithStatistics) {
  const std::string both = tables_study + R"([[statistic]]
name = "ages"
sql = "SELECT region, COUNT(*) AS people FROM people GROUP BY region"
)";
  const Result<Plan> plan = planned(both);
  ASSERT_TRUE(plan) << plan.error().sentence();
  EXPECT_LE(plan->content().epsilon, 20);
  EXPECT_GT(plan->content().epsilon, 19.9);
  EXPECT_NEAR(plan->content().tables[0].share + plan->content().statistics[0].noise[0].share, 1, 1e-9);
  const Result<Answer> answer = released(both);
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
}

TEST_F(SlowTables, MeetAccuraciesByOrderAndCostNoMoreThanTheBudget) {
  const Result<Plan> plan = planned(tables_study + "accuracy = { 0 = 10, 1 = 15, 2 = 20 }\n");
  ASSERT_TRUE(plan) << plan.error().sentence();
  const plan::PlannedTables& tables = plan->content().tables[0];
  const auto& sets = plan->study().bound.tables[0].lattice->tables();
  for (std::size_t i = 0; i < sets.size(); ++i) {
    EXPECT_LE(tables.accuracies[i], 10 + 5 * static_cast<double>(sets[i].size()));
  }
  EXPECT_LT(plan->content().epsilon, 2);
  EXPECT_NE(sentence_of(tables_study + "accuracy = 0.9\n"), "");
}

TEST_F(SlowTables, LeaveOutRowsWithoutDeclaredKeysWhereThereIsNoRest) {
  ASSERT_TRUE(released(tables_study + "rest = false\n"));
  const Cells total = table_cells(path("published/people.order-0.csv"), 3);
  EXPECT_NEAR(total.at(",,,")[0], 800, 40);
  EXPECT_EQ(table_cells(path("published/people.order-1.csv"), 3).size(), 2U + 3 + 2);
}

TEST_F(SlowTables, SayWhatCannotBe) {
  const auto says = [&](const std::string& text, const std::string& part) {
    const std::string sentence = sentence_of(text);
    EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
  };
  says(testing::replaced(tables_study, "BUCKET(age, 50) AS age", "age"), "'age' has none");
  says(testing::replaced(tables_study, "\"sex\", \"region\"", "\"sex, region\""), "neither a key nor a statistic");
  says(testing::replaced(tables_study, "up_to = 2", "tables = [[\"sexes\"]]"),
       "has no column 'sexes' (did you mean sex?)");
  says(testing::replaced(tables_study, "up_to = 2", "up_to = 2\nrest = \"north\""), "which is a key of 'region'");
  says(testing::replaced(tables_study, "up_to = 2", "up_to = 2\naccuracy = { 1 = 5 }"), "and not of all");
  says(testing::replaced(tables_study, ", delta = 1e-7", ""), "needs a delta above 0");
  write("catalog.toml", testing::replaced(testing::tables_catalog, "upper = 99", "upper = 99999"));
  says(testing::replaced(tables_study, "BUCKET(age, 50)", "BUCKET(age, 1)"), "has 100000 keys of 'age', more than one");
  write("catalog.toml", testing::tables_catalog);
  says(testing::replaced(tables_study, "from = \"people\"", "from = \"nobody\""), "nobody");
}

// ---- keys that a catalog declares for the rest, and keys that rows can lack in other ways

TEST_F(SlowTables, TakeTheKeyThatTheCatalogDeclaresForTheRest) {
  for (const char* const rest : {"other", "elsewhere"}) {
    write("catalog.toml", testing::replaced(testing::tables_catalog, "\"east\"] }",
                                            "\"east\"], rest = \"" + std::string(rest) + "\" }"));
    fs::remove_all(path("published"));
    const Result<Answer> answer = released(testing::replaced(tables_study, "up_to = 2", "tables = [[\"region\"]]"));
    ASSERT_TRUE(answer) << answer.error().sentence();
    const Cells regions = table_cells(path("published/people.order-1.csv"), 3);
    EXPECT_EQ(regions.size(), 4U);  // and not one more, which no row could have
    EXPECT_NEAR(regions.at("," + std::string(rest) + ",,")[0], 200, 40);
    EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
  }
}

// A row of a region that is not declared is in no table unless there is a key for it.
TEST_F(SlowTables, CountRowsThatAnExpressionLeavesWithoutADeclaredKey) {
  const std::string column = "\"COALESCE(region, 'none') AS region\"";
  ASSERT_TRUE(released(testing::replaced(tables_study, "\"region\"", column)));
  const Cells regions = table_cells(path("published/people.order-1.csv"), 3);
  EXPECT_NEAR(regions.at(",none,,")[0], 100, 40);
  EXPECT_NEAR(regions.at(",other,,")[0], 100, 40);  // mars
  EXPECT_NEAR(table_cells(path("published/people.order-0.csv"), 3).at(",,,")[0], 1000, 40);
}

// What covers every row gets no key that none can have.
TEST_F(SlowTables, HaveNoKeyForTheRestWhereThereIsNone) {
  const auto keys = [&](const std::string& column) {
    const Result<Plan> plan = planned(testing::replaced(tables_study, "\"sex\"", "\"" + column + "\""));
    return plan ? plan->study().bound.tables[0].columns[0].keys.size() : 0;
  };
  EXPECT_EQ(keys("sex"), 3U);
  EXPECT_EQ(keys("CASE WHEN sex = 'f' THEN 1 ELSE 0 END AS x"), 2U);
  EXPECT_EQ(keys("COALESCE(sex = 'f', FALSE) AS x"), 2U);
  EXPECT_EQ(keys("sex = 'f' AS x"), 3U);
  EXPECT_EQ(keys("COALESCE(BUCKET(age, 50), 0) AS x"), 2U);
  EXPECT_EQ(keys("CASE WHEN sex IN ('f', 'm') THEN sex ELSE 'm' END AS x"), 2U);
  EXPECT_EQ(keys("CASE WHEN sex IN ('f', 'x') THEN sex ELSE 'm' END AS x"), 3U);  // 'x' is no declared key
  EXPECT_EQ(keys("NULLIF(COALESCE(BUCKET(age, 50), 0), 50) AS x"), 3U);
}

// ---- what is said of a plan

TEST_F(SlowTables, SayWhereATotalIsKnownWorseThanItsParts) {
  const auto warnings = [&](const std::string& tables) {
    const Result<Plan> plan = planned(testing::replaced(tables_study, "up_to = 2", tables + "\neven = \"total\""));
    return plan::warnings_of(plan->study().bound.tables[0], plan->content().tables[0]);
  };
  const std::string few = "columns = [\"sex\", \"region\", \"BUCKET(age, 50) AS age\"]";
  EXPECT_TRUE(warnings("up_to = 2").empty());
  const std::string wide = "columns = [\"sex\", \"region\", \"BUCKET(age, 1) AS age\"]";
  write("catalog.toml", testing::replaced(testing::tables_catalog, "upper = 99", "upper = 999"));
  const Result<Plan> plan =
      planned(testing::replaced(testing::replaced(tables_study, few, wide), "up_to = 2",
                                "tables = [[], [\"sex\", \"region\", \"age\"]]\neven = \"total\""));
  ASSERT_TRUE(plan) << plan.error().sentence();
  const auto said = plan::warnings_of(plan->study().bound.tables[0], plan->content().tables[0]);
  ASSERT_FALSE(said.empty());
  EXPECT_NE(said[0].find("tables of 0 columns are known within"), std::string::npos) << said[0];
}

TEST_F(SlowTables, SayHowManyRowsATableNeeds) {
  const std::string wide = testing::replaced(tables_study, "BUCKET(age, 50)", "BUCKET(age, 1)");
  const auto said = [&](const std::string& row_limit) {
    write("catalog.toml", testing::replaced(testing::tables_catalog, "row_limit = 100000\n", row_limit));
    const Result<Plan> plan = planned(testing::replaced(wide, "epsilon = 20", "epsilon = 0.01"));
    const auto all = plan::warnings_of(plan->study().bound.tables[0], plan->content().tables[0]);
    return all.empty() ? "" : all.back();
  };
  EXPECT_NE(said("").find("tables of 2 columns have so many cells that most of them cannot be told from 0 unless "),
            std::string::npos)
      << said("");
  EXPECT_NE(said("row_limit = 1000\n").find("which the row limit does not allow"), std::string::npos);
  EXPECT_EQ(said("row_limit = 5000000\n"), "");
}

TEST_F(SlowTables, SayWhatOtherTotalsWouldBuy) {
  const Result<Plan> plan = planned(tables_study);
  const auto points = plan->at({*privacy::Epsilon::of(5), *privacy::Epsilon::of(10)}).value();
  ASSERT_EQ(points[0].tables.size(), 1U);
  ASSERT_EQ(points[0].tables[0].size(), plan->content().tables[0].accuracies.size());
  for (std::size_t i = 0; i < points[0].tables[0].size(); ++i) {
    EXPECT_GT(points[0].tables[0][i], points[1].tables[0][i]);
    EXPECT_GT(points[1].tables[0][i], plan->content().tables[0].accuracies[i]);
  }
}

TEST_F(SlowTables, NameLineBreaksAndLimitsThatNobodyStated) {
  EXPECT_EQ(planned(tables_study)->study().with_assumed_limits().size(), 1U);
  EXPECT_EQ(planned(tables_study + "max_rows = 1\n")->study().with_assumed_limits().size(), 0U);
  write("catalog.toml",
        testing::replaced(testing::tables_catalog, "unit = ", "quoted = true\nline_breaks = true\nunit = "));
  const Result<Answer> answer = released(tables_study);
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_NE(read("published/release.json").find("may have several lines in quotes"), std::string::npos);
  EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
}

// ---- the same in SQL

// The plan is the same text, to the byte, as that of the [[table]] written out.
TEST_F(SlowTables, AreThoseOfCubeRollupAndGroupingSets) {
  const std::string head = tables_study.substr(0, tables_study.find("[[table]]"));
  const auto plan_text = [&](const std::string& asked) -> std::string {
    const Result<Plan> plan = planned(head + asked);
    return plan ? plan::canonical(plan->content()) : plan.error().sentence();
  };
  const auto from_sql = [&](const std::string& keys, const std::string& group) {
    return plan_text("[[statistic]]\nname = \"people\"\nsql = \"SELECT " + keys +
                     ", COUNT(*) AS n FROM people WHERE age >= 15 GROUP BY " + group + "\"\naccuracy = { n = 30 }\n");
  };
  const auto written = [&](const std::string& columns, const std::string& tables) {
    return plan_text("[[table]]\nname = \"people\"\nfrom = \"people\"\nwhere = \"age >= 15\"\ncolumns = " + columns +
                     "\n" + tables + "\naccuracy = 30\n");
  };
  const std::string two = "[\"sex\", \"region\"]";
  EXPECT_EQ(written(two, "up_to = 2").substr(0, 1), "{");
  EXPECT_EQ(from_sql("sex, region", "CUBE (sex, region)"), written(two, "up_to = 2"));
  EXPECT_EQ(from_sql("sex, region, GROUPING_ID(sex, region) AS which", "CUBE (sex, region)"),
            written(two, "up_to = 2"));
  EXPECT_EQ(from_sql("sex, region", "ROLLUP (sex, region)"),
            written(two, "tables = [[], [\"sex\"], [\"sex\", \"region\"]]"));
  EXPECT_EQ(from_sql("sex, region", "GROUPING SETS ((region, sex), (region), ())"),
            written("[\"region\", \"sex\"]", "tables = [[], [\"region\"], [\"region\", \"sex\"]]"));
  EXPECT_EQ(from_sql("sex, BUCKET(age, 50) AS half", "CUBE (1, 2)"),
            written("[\"sex\", \"BUCKET(age, 50) AS half\"]", "up_to = 2"));
  const auto refused = [&](const std::string& sql) {
    return plan_text("[[statistic]]\nname = \"people\"\nsql = \"" + sql + "\"\n");
  };
  EXPECT_NE(refused("SELECT sex, SUM(age) AS n FROM people GROUP BY ROLLUP (sex)").find("count rows"),
            std::string::npos);
  EXPECT_NE(refused("SELECT sex, COUNT(*) AS n FROM people GROUP BY ROLLUP (sex) LIMIT 3").find("published whole"),
            std::string::npos);
  EXPECT_NE(refused("SELECT age, COUNT(*) AS n FROM people GROUP BY ROLLUP (age)").find("'age' has none"),
            std::string::npos);
}

// ---- what is refused before anything is spent

TEST_F(SlowTables, AreRefusedWithTooManyCellsBeforeAnythingIsSpent) {
  write("catalog.toml", testing::replaced(testing::tables_catalog, "upper = 99", "upper = 399"));
  const std::string columns = "\"sex\", \"region\", \"BUCKET(age, 50) AS age\"";
  const std::string three = "\"BUCKET(age, 1) AS a\", \"BUCKET(age, 1) AS b\", \"BUCKET(age, 1) AS c\"";
  const std::string wide = testing::replaced(testing::replaced(tables_study, columns, three), "up_to = 2", "up_to = 3");
  const Result<Answer> answer = released(wide);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().sentence().find("more cells in all than"), std::string::npos) << answer.error().sentence();
  const auto ledger = planned(wide)->ledger().value();
  for (const LedgerAmount& amount : ledger.amounts) EXPECT_EQ(amount.left, amount.allowed) << amount.name;
}

TEST_F(SlowTables, NameTheTableWhoseAccuracyNoBudgetMeets) {
  const std::string dear =
      sentence_of(testing::replaced(tables_study, "epsilon = 20", "epsilon = 0.1") + "accuracy = 5\n");
  EXPECT_NE(dear.find("the targets need epsilon"), std::string::npos) << dear;
  EXPECT_NE(dear.find("the table \"people\""), std::string::npos) << dear;
  EXPECT_NE(sentence_of(tables_study + "accuracy = 0.1\n").find("no noise is small enough"), std::string::npos);
}

TEST_F(SlowTables, AreSummedUpByOrderWithWhatOthersWouldCost) {
  const Result<Plan> plan = planned(tables_study);
  ASSERT_TRUE(plan);
  const plan::BoundTables& tables = plan->study().bound.tables[0];
  const auto orders = plan::orders_of(tables, plan->content().tables[0]);
  ASSERT_EQ(orders.size(), 3U);
  EXPECT_EQ(orders[2].tables, 3);
  EXPECT_EQ(orders[2].cells, 33);
  EXPECT_EQ(orders[1].told_from_zero, static_cast<std::int64_t>(std::floor(orders[1].greatest)) + 1);
  const auto prices = plan::prices_by_order(tables, plan->content().tables[0], plan->content().delta);
  ASSERT_EQ(prices.size(), 3U);  // of 1, 2 and 3 columns
  EXPECT_LT(prices[0].epsilon, prices[1].epsilon);
  EXPECT_LT(prices[1].epsilon, prices[2].epsilon);
  for (const plan::OrderPrice& price : prices) EXPECT_LT(price.epsilon, price.apart);
}

TEST(TableDocuments, ReadTheirContrastsBackAndNothingElse) {
  const table::Lattice lattice = table::Lattice::of({2, 3}, {{0, 1}, {}}).value();
  const table::Noisy noisy = {{7}, {-1, 2}, {3, 4, 5}, {1, 2, 3, -4, 5, INT64_MIN}};
  const std::string text = contrasts_text(lattice, noisy);
  EXPECT_EQ(read_contrasts(lattice, text).value(), noisy);
  EXPECT_FALSE(read_contrasts(lattice, text + "x"));
  EXPECT_FALSE(read_contrasts(lattice, testing::replaced(text, "-1", "-01")));
  EXPECT_FALSE(read_contrasts(lattice, testing::replaced(text, "3,4,5", "3,4")));
  EXPECT_FALSE(read_contrasts(lattice, testing::replaced(text, "3,4,5", "3,4,5,6")));
}

}  // namespace
}  // namespace vernier::study
