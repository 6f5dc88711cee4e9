#include "vernier/release/derived/formula.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/derived_releases.hpp"
#include "vernier/release/derived/shown.hpp"
#include "vernier/release/record/record.hpp"

namespace vernier::release {
namespace {

using plan::BoundStatistic;
using query::Formula;
using query::FormulaOperation;
using query::KeyOrder;
using query::Output;
using testing::of_many_regions;
using testing::released;
using testing::ReleaseTerms;

constexpr auto column = FormulaOperation::column;

Release seeded(const BoundStatistic& statistic, std::uint64_t seed) {
  ReleaseTerms terms;
  terms.study.epsilon = "0.5";
  terms.seed = seed;
  return released({statistic}, terms, [](const BoundStatistic& one) {
    std::vector<testing::RawGroup> groups;  // all alike: 100 rows, whose debts add up to -200
    for (std::size_t i = 0; i < one.keys.cells.size(); ++i) {
      groups.push_back({static_cast<std::int64_t>(i), {}, {100, 100, -200, 0, 0}});
    }
    return groups;
  });
}

// SELECT region, SUM(debt) / COUNT(*) AS ratio, where both are parts alone.
BoundStatistic with_ratio(std::size_t regions) {
  BoundStatistic made = of_many_regions(regions, query::Denoise::none);
  made.query.formulas = {{"ratio", {{column, 0, 1}, {column, 0, 0}, {FormulaOperation::divide}}}};
  made.query.outputs = {{true, 0}, {false, 0, true}};
  return made;
}

// ORDER BY n DESC LIMIT 3.
BoundStatistic with_top(std::size_t regions, bool is_simultaneous) {
  BoundStatistic made = of_many_regions(regions, query::Denoise::none);
  made.query.order = {KeyOrder{0, true, Output{false, 0}}};
  made.query.limit = 3;
  made.inference.is_simultaneous = is_simultaneous;
  return made;
}

TEST(Formulas, AreMadeOfPartsAtLevelsThatHoldAtOnce) {
  const Release release = seeded(with_ratio(5), 3);
  for (const Row& row : release.tables[0].rows) {
    const Number& ratio = row.derived[0];
    EXPECT_DOUBLE_EQ(ratio.value, row.numbers[1].value / row.numbers[0].value);
    // From intervals at alpha alone it would be shorter, and would not be proven.
    const Number alone =
        evaluated(release.plan.study.statistics[0].query.formulas[0], {&row.numbers[0], &row.numbers[1]});
    EXPECT_LT(ratio.interval.low, alone.interval.low);
    EXPECT_GT(ratio.interval.high, alone.interval.high);
    EXPECT_EQ(ratio.coverage, interval::Status::proven);
  }
}

// 100 releases of 50 groups: each interval holds with probability 95 % at least.
TEST(Formulas, CoverTheExactNumber) {
  std::uint64_t missed = 0, trials = 0;
  const BoundStatistic statistic = with_ratio(50);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const Release release = seeded(statistic, seed);
    for (const Row& row : release.tables[0].rows) {
      ++trials;
      missed += row.derived[0].interval.contains(-2) ? 0 : 1;
    }
  }
  EXPECT_LE(missed, testing::unsurprising_counts(trials, 0.05, testing::false_alarm).greatest);
}

std::uint64_t releases_with_a_miss(const BoundStatistic& statistic, std::uint64_t releases) {
  std::uint64_t missed = 0;
  for (std::uint64_t seed = 1; seed <= releases; ++seed) {
    const Table table = seeded(statistic, seed).tables[0];
    bool holds = true;
    for (std::size_t i = 0; i < table.shown(); ++i) holds = holds && table.rows[i].numbers[0].interval.contains(100);
    missed += holds ? 0 : 1;
  }
  return missed;
}

// The three largest of 50 groups that are all alike: those whose noise was largest. Of intervals that hold for groups
// that are named beforehand one misses in 1 - exp(-50 * 0.025) = 71 % of the releases; those that hold for all groups
// at once do not.
TEST(Selection, NaiveIntervalsOfTheLargestFailAndSimultaneousOnesHold) {
  constexpr std::uint64_t releases = 100;
  const auto allowed = testing::unsurprising_counts(releases, 0.05, testing::false_alarm);
  EXPECT_GT(releases_with_a_miss(with_top(50, false), releases), 2 * allowed.greatest);
  EXPECT_LE(releases_with_a_miss(with_top(50, true), releases), allowed.greatest);
}

TEST(Selection, OrdersByNumbersAndKeepsWhatItLeavesOut) {
  const Table table = seeded(with_top(10, true), 5).tables[0];
  ASSERT_EQ(table.rows.size(), 10U);
  EXPECT_EQ(table.shown(), 3U);
  for (std::size_t i = 1; i < table.rows.size(); ++i) {
    EXPECT_GE(table.rows[i - 1].numbers[0].value, table.rows[i].numbers[0].value);
  }
}

TEST(Selection, HavingKeepsRowsForWhichItIsTrue) {
  BoundStatistic statistic = with_top(10, true);
  statistic.query.limit.reset();
  statistic.query.having = Formula{"", {{column, 0, 0}, {FormulaOperation::number, 100}, {FormulaOperation::greater}}};
  const Table table = seeded(statistic, 5).tables[0];
  EXPECT_GT(table.shown(), 0U);
  EXPECT_LT(table.shown(), 10U);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    EXPECT_EQ(table.rows[i].numbers[0].value > 100, i < table.shown());
  }
}

TEST(Selection, OffsetLeavesOutTheFirst) {
  BoundStatistic statistic = with_top(10, true);
  const Table all = seeded(statistic, 5).tables[0];
  statistic.query.offset = 1;
  const Table table = seeded(statistic, 5).tables[0];
  ASSERT_EQ(table.shown(), 3U);
  for (std::size_t i = 0; i + 1 < 3; ++i) EXPECT_EQ(table.rows[i].keys, all.rows[i + 1].keys);
}

TEST(Shown, HasTheColumnsAndRowsOfTheStatement) {
  BoundStatistic statistic = with_ratio(10);
  statistic.query.order = {KeyOrder{0, true, Output{false, 0, true}}};
  statistic.query.limit = 2;
  const Release release = seeded(statistic, 9);
  const Shown shown(release.plan.study.statistics[0], release.tables[0]);
  EXPECT_EQ(shown.table().rows.size(), 2U);
  ASSERT_EQ(shown.statistic().query.aggregations.size(), 1U);
  EXPECT_EQ(shown.statistic().query.aggregations[0].name, "ratio");
  EXPECT_EQ(shown.table().rows[0].numbers[0].value, release.tables[0].rows[0].derived[0].value);
}

Number whole(double value, double reach) {
  return {.value = value,
          .accuracy = reach,
          .interval = {std::max(0.0, value - reach), value + reach},
          .is_whole = true,
          .coverage = interval::Status::proven,
          .covers = interval::Covers::bounded_value};
}

TEST(Formulas, SayNothingWhereTheyAreNotDefined) {
  const Number zero = whole(0, 3), ten = whole(10, 2);
  const Formula quotient{"q", {{column, 0, 1}, {column, 0, 0}, {FormulaOperation::divide}}};
  const Number made = evaluated(quotient, {&zero, &ten});
  EXPECT_FALSE(made.informative);
  EXPECT_TRUE(made.may_be_empty);
  EXPECT_TRUE(std::isfinite(made.value));
  EXPECT_TRUE(made.interval.contains(12));  // a count that is not 0 is 1 at least
  EXPECT_TRUE(made.interval.contains(8.0 / 3));
}

}  // namespace
}  // namespace vernier::release
