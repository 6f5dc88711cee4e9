#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "support/changed_records.hpp"
#include "support/ranked_releases.hpp"
#include "vernier/release/verify/verify.hpp"

// Several quantiles from one tree of noisy counts, from the rows by value to a record that can be checked.
namespace vernier::release {
namespace {

using noise::Occupied;
using testing::Json;
using testing::RawGroup;
using Histogram = std::vector<Occupied>;

plan::BoundStatistic deciles(plan::BoundStatistic made) {
  return testing::with_fractions(std::move(made), {1, 3, 7, 9, 3});
}

// Values 1 to 16 of educ are the points 0 to 15.
const Histogram steep{{0, 20'000}, {5, 30'000}, {9, 20'000}, {15, 30'000}};

Release released(plan::BoundStatistic statistic, const Histogram& histogram, const testing::ReleaseTerms& terms = {}) {
  return testing::released({std::move(statistic)}, terms, [&](const plan::BoundStatistic& one) {
    std::vector<RawGroup> groups = testing::raw_groups(one);
    for (RawGroup& group : groups) group.histograms = {histogram};
    return groups;
  });
}

TEST(TreeRelease, ReadsEveryQuantileFromItsOwnEnds) {
  const Release release = released(deciles(testing::by_region()), steep);
  for (const Row& row : release.tables.front().rows) {
    ASSERT_EQ(row.noisy.size(), 1U + 4 * 3);
    EXPECT_EQ(row.numbers[1].value, 1);
    EXPECT_EQ(row.numbers[2].value, 6);
    EXPECT_EQ(row.numbers[4].value, 16);
    EXPECT_EQ(row.numbers[5].value, 6);
    EXPECT_EQ(row.numbers[2].accuracy, 0);
    EXPECT_TRUE(row.numbers[3].interval.contains(10));
    EXPECT_TRUE(row.numbers[2].is_whole && row.numbers[2].informative && !row.numbers[2].may_be_empty);
  }
}

TEST(TreeRelease, SaysNothingOfGroupsWithoutRows) {
  const Release release = released(deciles(testing::by_region()), {});
  int silent = 0;
  for (const Row& row : release.tables.front().rows) silent += row.numbers[2].informative ? 0 : 1;
  EXPECT_GE(silent, 1);
}

TEST(TreeRelease, CanBeCheckedByAStranger) {
  testing::ReleaseTerms replace, pure;
  replace.study.neighbours = privacy::Neighbours::replace;
  pure.study.delta = pure.study.catalog_delta = "0";
  pure.accountant = ledger::Accountant::pure;
  plan::BoundStatistic targeted = deciles(testing::by_region());
  targeted.measurements[2].target = test::decimal("900");
  for (const auto& [name, release] : {std::pair{"public", released(deciles(testing::by_region()), steep)},
                                      {"private", released(deciles(testing::by_private_region()), steep)},
                                      {"replace", released(deciles(testing::by_region()), steep, replace)},
                                      {"pure", released(deciles(testing::by_region()), steep, pure)},
                                      {"target", released(targeted, steep)}}) {
    const Verdict verdict = verify(testing::record_of(release), testing::test_key().public_key());
    EXPECT_TRUE(verdict.holds()) << name << ": " << verdict.first_problem.value_or("");
  }
}

// Every figure that follows from others, the ends among them.
TEST(SlowTreeRelease, RefusesEveryChangedFigure) {
  plan::BoundStatistic statistic = deciles(testing::by_region());
  statistic.keys.cells.resize(1);
  const Json record = Json::parse(testing::record_of(released(statistic, steep)));
  EXPECT_GT(
      testing::expect_changes_refused(record, {{"/measurements/", "/releases/", "/rows/", "/noisy/", "/events/"}}),
      150);
}

TEST(TreeRelease, RefusesEndsThatCannotBe) {
  const Json record = Json::parse(testing::record_of(released(deciles(testing::by_region()), steep)));
  const auto problem = [&](const auto& change) {
    Json changed = record;
    change(changed["certificate"]["statistics"][0]["noisy"][0]);
    const Verdict verdict = verify(testing::signed_again(changed), testing::test_key().public_key());
    EXPECT_FALSE(verdict.holds());
    return verdict.first_problem.value_or("");
  };
  EXPECT_NE(problem([](Json& noisy) { noisy[1] = -1; }).find("points of its grid"), std::string::npos);
  EXPECT_NE(problem([](Json& noisy) { noisy[2] = 16; }).find("points of its grid"), std::string::npos);
  // The quantile 0.7 lies between 10 and 16: ends that crossed would make the same interval.
  EXPECT_NE(problem([](Json& noisy) { std::swap(noisy[7], noisy[8]); }).find("never cross"), std::string::npos);
  EXPECT_NE(problem([](Json& noisy) { noisy[9] = noisy[8].get<int>() + 1; }).find("between its ends"),
            std::string::npos);
}

// A tree of three fractions is none: the record of one would state less than it should.
TEST(TreeRelease, IsNotTakenForFewerFractions) {
  plan::BoundStatistic three = deciles(testing::by_region());
  three.measurements[4].fraction = {3, 10};
  three.measurements[1].width = 9;
  const Verdict verdict = verify(testing::record_of(released(three, steep)), testing::test_key().public_key());
  EXPECT_FALSE(verdict.holds());
  EXPECT_NE(verdict.first_problem.value_or("").find("figure"), std::string::npos) << *verdict.first_problem;
}

}  // namespace
}  // namespace vernier::release
