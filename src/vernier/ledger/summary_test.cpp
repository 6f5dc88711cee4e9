#include <gtest/gtest.h>

#include "vernier/ledger/book.hpp"

namespace vernier::ledger {
namespace {

Entry paid(const std::string& release, const std::string& analyst, const std::string& study, Manner manner, Cost cost) {
  return {.kind = Kind::reserve,
          .time = 7,
          .release = release,
          .analyst = analyst,
          .study = study,
          .manner = manner,
          .cost = cost};
}

Entry answered(const std::string& release) { return {.kind = Kind::settle, .time = 9, .release = release}; }

TEST(Summary, SaysWhoSpentWhatOnWhatAndHow) {
  Summary summary;
  summary.take({.kind = Kind::terms, .time = 5});
  EXPECT_EQ(summary.last_time(), 5);
  EXPECT_EQ(summary.all().releases, 0);
  summary.take(paid("a", "anna", "income", Manner::total, {5, 1}));
  summary.take(paid("b", "ben", "income", Manner::divergence, {20, 2}));
  summary.take(answered("a"));
  summary.take(paid("c", "anna", "health", Manner::divergence, {3, 4}));
  EXPECT_EQ(summary.all().cost, (Cost{28, 7}));
  EXPECT_EQ(summary.by_analyst().at("anna").cost, (Cost{8, 5}));
  EXPECT_EQ(summary.by_analyst().at("anna").releases, 2);
  EXPECT_EQ(summary.by_study().at("income").cost, (Cost{25, 3}));
  EXPECT_EQ(summary.by_study().at("health").releases, 1);
  EXPECT_EQ(summary.by_total().cost, (Cost{5, 1}));
  EXPECT_EQ(summary.by_divergence().cost, (Cost{23, 6}));
  EXPECT_EQ(summary.answered(), 1);
  ASSERT_EQ(summary.unanswered().size(), 2U);
  EXPECT_EQ(summary.unanswered().begin()->second.analyst, "ben");
}

TEST(Summary, CountsAnswersToWhatNobodyPaidFor) {
  Summary summary;
  summary.take(answered("a"));
  summary.take(paid("b", "", "", Manner::total, {}));
  summary.take(answered("b"));
  summary.take(answered("b"));
  EXPECT_EQ(summary.strays(), 2);
  EXPECT_EQ(summary.answered(), 1);
  EXPECT_TRUE(summary.unanswered().empty());
}

}  // namespace
}  // namespace vernier::ledger
