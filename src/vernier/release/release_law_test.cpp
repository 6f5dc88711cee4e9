#include <cmath>

#include <gtest/gtest.h>

#include "statistics.hpp"
#include "support/ledgers.hpp"
#include "support/release_plans.hpp"
#include "support/seeded_release.hpp"
#include "support/temporary_folder.hpp"

// What the released numbers of many groups have in common: their law, and that none knows of another.
namespace vernier::release {
namespace {

using testing::by_private_region;
using testing::by_region;
using testing::false_alarm;
using testing::RawGroup;
using testing::release_plan;

constexpr std::int64_t rows = 1000, debt = -700, above_one = 5000;
const std::vector<std::int64_t> tallies{rows, rows, debt, rows, above_one};
constexpr double mean = 1 + 5.0;

plan::BoundStatistic many_regions(int count) {
  plan::BoundStatistic made = by_region();
  made.keys.cells.clear();
  for (int i = 0; i < count; ++i) made.keys.cells.push_back({query::Value("r" + std::to_string(i))});
  return made;
}

std::vector<RawGroup> equal_regions(int count) {
  std::vector<RawGroup> groups;
  for (int i = 0; i < count; ++i) groups.push_back({i, {}, tallies});
  return groups;
}

std::vector<RawGroup> private_regions(int count, std::int64_t units) {
  std::vector<RawGroup> groups;
  for (int i = 0; i < count; ++i) {
    groups.push_back({0, {query::Value("r" + std::to_string(i))}, {units, units, 0, units, units}});
  }
  return groups;
}

std::vector<Table> released(const plan::Plan& plan, std::vector<RawGroup> groups, std::uint64_t seed) {
  const testing::TemporaryFolder folder;
  const ledger::Terms terms{ledger::Accountant::approximate, test::decimal("10"), test::decimal("1e-6")};
  const auto ledger = testing::ledger_at(folder.path() / "a.ledger", terms);
  testing::SeededSource source = testing::seeded_source(seed);
  testing::ToldSession session({std::move(groups)});
  return run_with(plan, session, *ledger, source, {"a study", "catalog hash"}).value().tables;
}

// The noise of a column.
std::vector<std::int64_t> noise_of(const Table& table, std::size_t column, std::int64_t exact) {
  std::vector<std::int64_t> noise;
  for (const Row& row : table.rows) noise.push_back(std::llround(row.numbers[column].value) - exact);
  return noise;
}

// Times the root of the number of pairs: about standard normal where the two have nothing to do with each other.
double correlation(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  double products = 0, squares_a = 0, squares_b = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const auto x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    products += x * y, squares_a += x * x, squares_b += y * y;
  }
  return products / std::sqrt(squares_a * squares_b) * std::sqrt(static_cast<double>(b.size()));
}

// A normal variable is further out less often than false_alarm.
constexpr double uncorrelated = 6.2;

TEST(SlowReleaseLaw, IsThatOfThePlanForEveryNumber) {
  const auto law = *noise::Geometric::of(*LaplaceScale::of(5));
  const Table table = released(release_plan({many_regions(20'000)}, law), equal_regions(20'000), 1).front();
  const testing::Cells cells = testing::cells_of(law);
  EXPECT_EQ(testing::objection_to(cells, noise_of(table, 0, rows)), "");
  EXPECT_EQ(testing::objection_to(cells, noise_of(table, 1, debt)), "");
  const auto other = *noise::Geometric::of(*LaplaceScale::of(5.5));
  EXPECT_NE(testing::objection_to(testing::cells_of(other), noise_of(table, 0, rows)), "");
}

// Two columns, two statistics, neighbouring groups: each has noise of its own.
TEST(SlowReleaseLaw, IsIndependentBetweenAnyTwoNumbers) {
  constexpr int count = 20'000;
  plan::BoundStatistic statistic = many_regions(count);
  statistic.query.aggregations.push_back(statistic.query.aggregations[0]);  // COUNT(*) twice
  statistic.measurements.push_back(statistic.measurements[0]);
  statistic.measurements.back().aggregation = 3;
  for (const plan::Law& law : {testing::geometric(5), testing::discrete_gaussian(7)}) {
    const auto tables = released(release_plan({statistic, statistic}, law), equal_regions(count), 2);
    const auto counts = noise_of(tables[0], 0, rows), sums = noise_of(tables[0], 1, debt);
    EXPECT_LT(std::fabs(correlation(counts, sums)), uncorrelated);
    EXPECT_LT(std::fabs(correlation(counts, noise_of(tables[0], 3, rows))), uncorrelated);
    EXPECT_LT(std::fabs(correlation(counts, noise_of(tables[1], 0, rows))), uncorrelated);
    EXPECT_LT(std::fabs(correlation(counts, std::span(counts).subspan(1))), uncorrelated);
    EXPECT_GT(correlation(counts, counts), uncorrelated);
  }
}

TEST(SlowReleaseLaw, CoversAsOftenAsItIsSaid) {
  constexpr int count = 4'000;
  for (const plan::Law& law : {testing::geometric(5), testing::discrete_gaussian(7)}) {
    const Table table = released(release_plan({many_regions(count)}, law), equal_regions(count), 3).front();
    std::array<std::uint64_t, 3> covered{};
    for (const Row& row : table.rows) {
      covered[0] += row.numbers[0].interval.contains(rows) ? 1 : 0;
      covered[1] += row.numbers[1].interval.contains(debt) ? 1 : 0;
      covered[2] += row.numbers[2].interval.contains(mean) ? 1 : 0;
    }
    for (const std::uint64_t hits : covered) {
      EXPECT_GE(hits, testing::unsurprising_counts(count, 0.95, false_alarm).least);
      EXPECT_LT(hits, testing::unsurprising_counts(count, 0.985, false_alarm).greatest);
    }
  }
}

// Given that they were published; of keys that reach the threshold seldom, and of keys that do often.
TEST(SlowReleaseLaw, CoversCountsThatPassedTheThreshold) {
  for (const std::int64_t units : {30, 38, 60}) {
    const Table table =
        released(release_plan({by_private_region()}, testing::geometric(4), 40), private_regions(20'000, units), 4)
            .front();
    std::uint64_t covered = 0;
    for (const Row& row : table.rows) {
      covered += row.numbers[0].interval.contains(static_cast<double>(units)) ? 1 : 0;
    }
    ASSERT_GT(table.rows.size(), 500U);
    EXPECT_GE(covered, testing::unsurprising_counts(table.rows.size(), 0.95, false_alarm).least) << units;
  }
}

// A threshold that is one too low lets a quarter more through.
TEST(SlowReleaseLaw, LetsKeysOfOneUnitThroughAsOftenAsTheRuleSays) {
  constexpr int count = 100'000;
  const auto law = *noise::Geometric::of(*LaplaceScale::of(4));
  const Table table = released(release_plan({by_private_region()}, law, 20), private_regions(count, 1), 5).front();
  const double escape = accounting::KeyRule(20).escape(law).upper;
  EXPECT_TRUE(testing::unsurprising_counts(count, escape, false_alarm).contains(table.rows.size()));
  const double one_lower = accounting::KeyRule(19).escape(law).upper;
  EXPECT_FALSE(testing::unsurprising_counts(count, one_lower, false_alarm).contains(table.rows.size()));
}

}  // namespace
}  // namespace vernier::release
