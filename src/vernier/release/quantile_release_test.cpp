#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "statistics.hpp"
#include "support/changed_records.hpp"
#include "support/choice_chances.hpp"
#include "support/ranked_releases.hpp"
#include "vernier/plan/allocate/accuracy.hpp"
#include "vernier/release/verify/verify.hpp"

// Quantiles from the rows by value to a record that can be checked.
namespace vernier::release {
namespace {

using noise::Occupied;
using testing::Json;
using testing::RawGroup;
using Histogram = std::vector<Occupied>;

std::vector<RawGroup> with_histogram(std::vector<RawGroup> groups, const Histogram& histogram) {
  for (RawGroup& group : groups) group.histograms = {histogram};
  return groups;
}

// Values 1 to 16 of educ are the points 0 to 15. Thousands of rows at 6, so that noise does not matter.
const Histogram steep{{0, 10'000}, {5, 30'000}, {15, 10'000}};

Release released(plan::BoundStatistic statistic, const Histogram& histogram, const testing::ReleaseTerms& terms = {}) {
  return testing::released({std::move(statistic)}, terms, [&](const plan::BoundStatistic& one) {
    return with_histogram(testing::raw_groups(one), histogram);
  });
}

TEST(QuantileRelease, IsWithinTheEndsThatWereChosen) {
  const Release release = released(testing::ranked(testing::by_region()), steep);
  for (const Row& row : release.tables.front().rows) {
    ASSERT_EQ(row.noisy.size(), 1U + 2 * 3 + 2 * 2);
    EXPECT_EQ(row.numbers[1].value, 6);
    EXPECT_EQ(row.numbers[1].accuracy, 0);
    EXPECT_EQ(row.numbers[2].value, 16);
    EXPECT_EQ(row.numbers[3].value, 1);
    EXPECT_EQ(row.numbers[4].value, 16);
    EXPECT_TRUE(row.numbers[1].is_whole && row.numbers[1].informative && !row.numbers[1].may_be_empty);
    EXPECT_EQ(row.numbers[5].interval.low, row.numbers[1].interval.low);
    EXPECT_EQ(row.numbers[5].interval.high, row.numbers[1].interval.high);
  }
}

TEST(QuantileRelease, SaysNothingOfGroupsWithoutRows) {
  const Release release = released(testing::ranked(testing::by_region()), {});
  int silent = 0;
  for (const Row& row : release.tables.front().rows) {
    EXPECT_TRUE(row.numbers[1].interval.contains(1));
    silent += row.numbers[1].informative ? 0 : 1;
  }
  EXPECT_GE(silent, 1);
}

TEST(QuantileRelease, CanBeCheckedByAStranger) {
  testing::ReleaseTerms replace, pure;
  replace.study.neighbours = privacy::Neighbours::replace;
  pure.study.delta = pure.study.catalog_delta = "0";
  pure.accountant = ledger::Accountant::pure;
  plan::BoundStatistic targeted = testing::ranked(testing::by_region());
  targeted.measurements[2].target = test::decimal("70");
  for (const auto& [name, release] : {std::pair{"public", released(testing::ranked(testing::by_region()), steep)},
                                      {"private", released(testing::ranked(testing::by_private_region()), steep)},
                                      {"replace", released(testing::ranked(testing::by_region()), steep, replace)},
                                      {"pure", released(testing::ranked(testing::by_region()), steep, pure)},
                                      {"target", released(targeted, steep)}}) {
    const Verdict verdict = verify(testing::record_of(release), testing::test_key().public_key());
    EXPECT_TRUE(verdict.holds()) << name << ": " << verdict.first_problem.value_or("");
  }
}

// Every figure that follows from others, the ends among them.
TEST(SlowQuantileRelease, RefusesEveryChangedFigure) {
  plan::BoundStatistic statistic = testing::ranked(testing::by_region());
  statistic.keys.cells.resize(1);
  const Json record = Json::parse(testing::record_of(released(statistic, steep)));
  EXPECT_GT(
      testing::expect_changes_refused(record, {{"/measurements/", "/releases/", "/rows/", "/noisy/", "/events/"}}),
      150);
}

TEST(QuantileRelease, RefusesPointsThatCannotHaveBeenChosen) {
  const Json record = Json::parse(testing::record_of(released(testing::ranked(testing::by_region()), steep)));
  for (const auto& [place, value] : {std::pair{1, -1},
                                     {3, 16},
                                     {2, 1},
                                     {7, 3},
                                     {10, 3}}) {  // a value outside its ends; of MIN the lower end, of MAX the upper
    Json changed = record;
    changed["certificate"]["statistics"][0]["noisy"][0][place] = value;
    EXPECT_FALSE(verify(testing::signed_again(changed), testing::test_key().public_key()).holds()) << place;
  }
}

// An engine that brings something else than was asked gets a sentence that tells nothing.
TEST(QuantileRelease, RefusesRowsThatAreNoHistogram) {
  const plan::BoundStatistic statistic = testing::ranked(testing::by_region());
  for (const Histogram& wrong :
       {Histogram{{16, 1}}, {{-1, 1}}, {{3, 0}}, {{3, 1}, {3, 1}}, {{4, 1}, {3, 1}}, {{3, INT64_MAX}}}) {
    std::vector<RawGroup> groups{{0, {}, {1, 1, 1, 1, 1}, {wrong}}};
    const auto exact = ExactNumbers::of(statistic, engine::RawAggregates(groups));
    ASSERT_FALSE(exact);
    EXPECT_EQ(exact.error().sentence(), engine::run_failed);
  }
  EXPECT_FALSE(ExactNumbers::of(statistic, engine::RawAggregates({{0, {}, {1, 1, 1, 1, 1}, {}}})));
  EXPECT_TRUE(ExactNumbers::of(statistic, engine::RawAggregates({{0, {}, {1, 1, 1, 1, 1}, {{}}}})));
}

// Of many groups with the same rows each is drawn for by itself, and covers as often as it is said.
TEST(SlowQuantileRelease, CoversAndIsDrawnForEveryGroup) {
  constexpr int count = 4000;
  plan::BoundStatistic statistic = testing::ranked(testing::by_region());
  statistic.keys.cells.clear();
  for (int i = 0; i < count; ++i)
    statistic.keys.cells.push_back({query::Value(std::string("r").append(std::to_string(i)))});
  const Histogram low{{0, 5}, {9, 3}};
  const Release release = testing::released({statistic}, {}, [&](const plan::BoundStatistic&) {
    std::vector<RawGroup> groups;
    for (int i = 0; i < count; ++i) groups.push_back({i, {}, {8, 8, 0, 8, 27}, {low}});
    return groups;
  });
  std::uint64_t missed = 0, same = 0;
  const auto& rows = release.tables.front().rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    missed += rows[i].numbers[1].interval.contains(1) ? 0 : 1;
    if (i % 2 == 1) same += std::equal(&rows[i].noisy[1], &rows[i].noisy[4], &rows[i - 1].noisy[1]) ? 1 : 0;
  }
  EXPECT_LE(missed, testing::unsurprising_counts(count, 0.05, testing::false_alarm).greatest);
  // Two groups have the same points by chance alone: without noise all would, and of no law but the plan's so many.
  const plan::BoundStatistic& bound = release.plan.study.statistics.front();
  const auto& law = std::get<noise::Exponential>(release.plan.statistics.front().noise[1].law);
  const auto alpha = plan::level_of(bound, 1, release.plan.study.alpha, plan::planned_groups(bound)).value();
  const double chance = testing::chance_of_same(testing::chances_of(bound, bound.measurements[1], law, alpha, low, 1));
  EXPECT_LT(chance, 0.5);
  EXPECT_TRUE(testing::unsurprising_counts(count / 2, chance, testing::false_alarm).contains(same))
      << same << " of " << count / 2 << ", each with chance " << chance;
}

}  // namespace
}  // namespace vernier::release
