#include <gtest/gtest.h>

#include "support/noisy_studies.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/plan/statistic/statistic.hpp"

namespace vernier::plan {
namespace {

using test::bound_statistic, test::bound_study, test::NoisyColumn, test::StudyTerms, test::with_private_keys;

std::string sentence(const BoundStudy& study) {
  const Result<Plan> plan = allocate(study);
  return plan ? "planned at " + std::to_string(plan->epsilon) : plan.error().sentence();
}

const std::vector<NoisyColumn> two = {{"people", Count::kind, 1, 1, "50"}, {"income", Mean::kind, 200'000, 2, "800"}};

TEST(AllocateErrors, TellWhatTheTargetsWouldCost) {
  EXPECT_EQ(
      sentence(bound_study({bound_statistic("by region", two)}, {"1", "1e-7"})),
      "the targets need epsilon 1.56 at delta 1e-07, but the budget has 1; raise the budget, or relax the accuracy "
      "of \"income\" of \"by region\", which costs most");
  StudyTerms catalog;
  catalog.catalog_epsilon = "1";
  EXPECT_EQ(sentence(bound_study({bound_statistic("by region", two)}, catalog)),
            "the targets need epsilon 1.56 at delta 1e-07, but the catalog has 1; raise the budget, or relax the "
            "accuracy of \"income\" of \"by region\", which costs most");
}

TEST(AllocateErrors, AdviseNothingThatCannotBeDone) {
  auto statistic = bound_statistic("a", {{"n", Sum::kind, 10'000'000, 1, "1"}});
  statistic.contribution.max_rows = 1000;
  const std::string refused = sentence(bound_study({statistic}, {"1", "1e-7"}));
  EXPECT_NE(refused.find("but the budget has 1, and no budget can have so much; relax the accuracy of \"n\" of \"a\", "
                         "which costs most, or lower its max_rows, which is 1000"),
            std::string::npos)
      << refused;
}

// With the epsilon of the sentence it works, whatever the digits.
TEST(AllocateErrors, TellAnEpsilonThatWouldDo) {
  for (const char* target : {"1", "3", "7", "20", "55", "333", "799", "1000"}) {
    const auto statistic = bound_statistic("a", {{"n", Sum::kind, 17, 2, target}});
    const std::string refused = sentence(bound_study({statistic}, {"0.001", "1e-7"}));
    const std::size_t first = refused.find("epsilon ") + 8;
    const std::string enough = refused.substr(first, refused.find(' ', first) - first);
    const Result<Plan> plan = allocate(bound_study({statistic}, {enough, "1e-7"}));
    ASSERT_TRUE(plan) << refused;
    EXPECT_GT(plan->epsilon, 0.99 * test::decimal(enough).round_down()) << refused;
  }
}

TEST(AllocateErrors, SayThatTargetsLeaveNothing) {
  const auto statistic = bound_statistic("a", {{"n", Count::kind, 1, 1, "20"}, {"m"}});
  const auto fixed = bound_statistic("a", {{"n", Count::kind, 1, 1, "20"}});
  const double needed = allocate(bound_study({fixed}, {"5", "0"}))->epsilon;
  EXPECT_EQ(sentence(bound_study({statistic}, {shortest(needed), "0"})),
            "the budget leaves nothing for the columns without a target: no scale up to 1e+12 makes their noise large "
            "enough; raise the budget, relax the targets, or declare narrower bounds");
}

TEST(AllocateErrors, SayThatAWideColumnNeedsTooMuchNoise) {
  const auto statistic = bound_statistic("a", {{"n", Sum::kind, std::int64_t{1} << 50}});
  EXPECT_NE(sentence(bound_study({statistic}, {"1", "1e-7"})).find("no scale up to 1e+12"), std::string::npos);
}

TEST(AllocateErrors, RefuseMoreThanTheCatalogHas) {
  StudyTerms terms{"2", "1e-7"};
  terms.catalog_epsilon = "1.5";
  EXPECT_EQ(sentence(bound_study({bound_statistic("a", {{"n"}})}, terms)),
            "the study asks for more than the catalog has: its budget has epsilon 2, the catalog's 1.5; lower the "
            "study's epsilon");
  terms = {"2", "1e-5"};
  EXPECT_EQ(sentence(bound_study({bound_statistic("a", {{"n"}})}, terms)),
            "the study asks for more than the catalog has: its budget has delta 1e-05, the catalog's 1e-06; lower the "
            "study's delta");
  terms = {"10000", "1e-6"};
  EXPECT_TRUE(allocate(bound_study({bound_statistic("a", {{"n"}})}, terms)));
}

TEST(AllocateErrors, NameAColumnThatStatesNothing) {
  const auto statistic = bound_statistic("a", {{"n", Count::kind, 1, 1, "20"}, {"m"}});
  EXPECT_EQ(sentence(bound_study({statistic}, {})),
            "\"m\" of \"a\" has no accuracy, and the study has no budget for it to share; state its accuracy, or a "
            "budget");
}

TEST(AllocateErrors, AskForADeltaForPrivateKeys) {
  const auto statistic = with_private_keys(bound_statistic("by town", {{"n", Units::kind}}), 1);
  EXPECT_EQ(
      sentence(bound_study({statistic}, {"1", "0"})),
      "\"by town\" has private keys, whose publication needs a delta above 0; give the budget a delta, or declare "
      "the keys in the catalog");
}

}  // namespace
}  // namespace vernier::plan
