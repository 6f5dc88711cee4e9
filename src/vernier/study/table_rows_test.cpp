#include "support/table_studies.hpp"
#include "vernier/release/record/record.hpp"

// Tables of units with several rows: the same of them count in all tables.
namespace vernier::study {
namespace {

using testing::replaced;
using testing::table_cells;

constexpr int units = 300;

class SlowTableRows : public testing::TableStudies {
 protected:
  // Three rows of each unit in the north and one in the south, and some that are nobody's.
  SlowTableRows() {
    std::string rows = "person_id,sex,region,age\n";
    for (int i = 0; i < units; ++i) {
      for (int j = 0; j < 4; ++j) rows += std::to_string(i) + ",f," + (j < 3 ? "north" : "south") + ",20\n";
    }
    for (int i = 0; i < 50; ++i) rows += ",f,north,20\n";
    write("people.csv", rows);
  }

  static std::string study(int most) {
    return replaced(replaced(testing::tables_study, "epsilon = 20", "epsilon = 14"), "up_to = 2",
                    "up_to = 2\nmax_rows = " + std::to_string(most));
  }
};

TEST_F(SlowTableRows, CountUpToTheirNumberAndAreChosenAtRandom) {
  for (const int most : {1, 2, 3, 9}) {
    std::filesystem::remove_all(path("published"));
    const Result<Answer> answer = released(study(most));
    ASSERT_TRUE(answer) << answer.error().sentence();
    const double rows = units * std::min(most, 4), margin = 8.0 * most + 15;
    EXPECT_NEAR(table_cells(path("published/people.order-0.csv"), 3).at(",,,")[0], rows, margin);
    const auto regions = table_cells(path("published/people.order-1.csv"), 3);
    EXPECT_NEAR(
        regions.at(",north,,")[0] + regions.at(",south,,")[0] + regions.at(",east,,")[0] + regions.at(",other,,")[0],
        table_cells(path("published/people.order-0.csv"), 3).at(",,,")[0], 1e-9);
    // One row is that of one of two cells; of several each row is as likely as any other: three of four are in the
    // north.
    const double north = most == 1 ? 0.5 : 0.75;
    EXPECT_NEAR(regions.at(",north,,")[0], rows * north, margin + 60) << most;
    EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
  }
}

TEST_F(SlowTableRows, CostAsMuchMoreAsThereAreMore) {
  const auto epsilon = [&](int most) {
    const Result<Plan> plan = planned(study(most) + "accuracy = 40\n");
    EXPECT_TRUE(plan) << plan.error().sentence();
    return plan ? plan->content().epsilon : 0;
  };
  const double one = epsilon(1);
  EXPECT_GT(epsilon(2), 1.9 * one);
  EXPECT_LT(epsilon(2), 2.4 * one);
  EXPECT_GT(epsilon(5), 5 * one);
}

TEST_F(SlowTableRows, AreSaidInTheRecord) {
  const Result<Answer> answer = released(study(3));
  ASSERT_TRUE(answer) << answer.error().sentence();
  EXPECT_NE(answer->record_text().find("\"max_rows\":3"), std::string::npos);
  EXPECT_NE(answer->record_text().find("Of a unit with more rows 3 count, chosen at random, the same in all of them."),
            std::string::npos);
}

TEST_F(SlowTableRows, AreVerifiedWhereWhatTheySayIsProtected) {
  write("catalog.toml", replaced(testing::tables_catalog, "row_limit", "neighbours = \"replace\"\nrow_limit"));
  const std::string large = study(2) + "accuracy = 40\n", small = study(1);  // noise
  for (const std::string& text : {large, small}) {
    std::filesystem::remove_all(path("published"));
    const Result<Answer> answer = released(text);
    ASSERT_TRUE(answer) << answer.error().sentence();
    const std::string& record = answer->record_text();
    EXPECT_EQ(record.find("\"delta\":8.07") != std::string::npos, text == large);  // 2^-90: all may be known
    EXPECT_EQ(record.find("\"rho\"") != std::string::npos, text == small);
    EXPECT_TRUE(verdict().holds()) << verdict().first_problem.value_or("");
  }
}

TEST_F(SlowTableRows, AreAllRowsWhereEveryRowIsAUnit) {
  write("catalog.toml", replaced(testing::tables_catalog, "unit = \"person_id\"", "unit = \"row\""));
  const Result<Plan> plan = planned(study(5) + "accuracy = 40\n");
  ASSERT_TRUE(plan) << plan.error().sentence();
  const Result<Plan> single = planned(study(1) + "accuracy = 40\n");
  ASSERT_TRUE(single) << single.error().sentence();
  EXPECT_EQ(plan->content().epsilon, single->content().epsilon);
}

}  // namespace
}  // namespace vernier::study
