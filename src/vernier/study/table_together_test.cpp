#include "support/table_studies.hpp"
#include "vernier/plan/tables/together.hpp"

// Two [[table]]s of the same rows, and what one of them all would cost.
namespace vernier::study {
namespace {

const std::string head = R"(catalog = "catalog.toml"
)";

std::string set_of(const std::string& name, const std::string& columns, const std::string& more) {
  return "[[table]]\nname = \"" + name + "\"\nfrom = \"people\"\ncolumns = [" + columns + "]\n" + more + "\n";
}

class SlowTablesTogether : public testing::TableStudies {
 protected:
  std::vector<std::string> notes_of(const std::string& text) const {
    const Result<Plan> plan = planned(text);
    EXPECT_TRUE(plan) << plan.error().sentence();
    return plan ? plan::notes_on_shared_rows(plan->content()) : std::vector<std::string>();
  }
  double epsilon_of(const std::string& text) const {
    const Result<Plan> plan = planned(text);
    EXPECT_TRUE(plan) << plan.error().sentence();
    return plan ? plan->content().epsilon : 0;
  }
};

TEST_F(SlowTablesTogether, AreAdvisedWhereThatIsCheaperAndItIs) {
  const std::string apart = head + set_of("a", R"("sex", "region")", "up_to = 2\naccuracy = 30") +
                            set_of("b", R"("sex", "BUCKET(age, 50) AS age")", "up_to = 2\naccuracy = 30");
  const std::vector<std::string> notes = notes_of(apart);
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes.front().find("'a' and 'b'"), std::string::npos);
  const std::string together =
      head + set_of("all", R"("sex", "region", "BUCKET(age, 50) AS age")",
                    R"(tables = [["sex", "region"], ["sex", "age"], ["sex"], ["region"], ["age"], []]
accuracy = 30)");
  const double saved = 1 - epsilon_of(together) / epsilon_of(apart);
  EXPECT_GT(saved, 0.1);
  EXPECT_NE(notes.front().find(std::to_string(std::lround(100 * saved))), std::string::npos) << notes.front() << saved;
}

TEST_F(SlowTablesTogether, AreNotAdvisedWhereRowsDiffer) {
  const std::string first = head + set_of("a", R"("sex", "region")", "up_to = 2\naccuracy = 30");
  for (const char* const more : {"where = \"age > 20\"\nup_to = 2\naccuracy = 30",
                                 "rest = false\nup_to = 2\naccuracy = 30", "max_rows = 2\nup_to = 2\naccuracy = 60"}) {
    EXPECT_TRUE(notes_of(first + set_of("b", R"("sex", "BUCKET(age, 50) AS age")", more)).empty()) << more;
  }
}

// Whatever the accuracies are.
TEST_F(SlowTablesTogether, NeverCostMoreThanApart) {
  const char* const accuracies[] = {"accuracy = { 0 = 200, 1 = 30, 2 = 25 }", "accuracy = 400"};
  for (const char* const one : accuracies) {
    for (const char* const other : accuracies) {
      const Result<Plan> plan =
          planned(head + set_of("a", R"("sex", "region")", std::string("up_to = 2\n") + one) +
                  set_of("b", R"("region", "BUCKET(age, 50) AS age")", std::string("up_to = 2\n") + other));
      ASSERT_TRUE(plan) << plan.error().sentence();
      const plan::Plan& made = plan->content();
      const auto part = plan::cost_together(made.study.tables[0], made.tables[0], made.study.tables[1], made.tables[1]);
      ASSERT_TRUE(part.has_value());
      EXPECT_LE(*part, 1);
      EXPECT_GT(*part, 0.4);
    }
  }
}

}  // namespace
}  // namespace vernier::study
