#include "vernier/release/derived/derived.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/derived_releases.hpp"

namespace vernier::release {
namespace {

using query::Denoise;
using testing::compared;
using testing::even_groups;
using testing::of_many_regions;
using testing::released;
using testing::ReleaseTerms;

Release seeded(std::vector<plan::BoundStatistic> statistics, std::uint64_t seed,
               const testing::Answers& answer = even_groups) {
  ReleaseTerms terms;
  terms.study.epsilon = "0.5";
  terms.seed = seed;
  return released(std::move(statistics), terms, answer);
}

TEST(Derived, PutsDenoisedValuesInsideRawIntervals) {
  for (const Denoise asked : {Denoise::least_risk, Denoise::james_stein, Denoise::soft_threshold}) {
    const Table table = seeded({of_many_regions(20, asked)}, 7).tables.front();
    ASSERT_EQ(table.denoised.size(), 2U);
    for (const Row& row : table.rows) {
      for (const Number& number : row.numbers) {
        ASSERT_TRUE(number.denoised);
        EXPECT_TRUE(number.interval.contains(*number.denoised));
        EXPECT_EQ(*number.denoised, std::round(*number.denoised));
        EXPECT_FALSE(number.denoised_interval);
      }
    }
  }
}

// As they are, but for being moved into what is possible.
TEST(Derived, KeepsRawValuesOfFewGroups) {
  const Table table = seeded({of_many_regions(3, Denoise::james_stein)}, 3).tables.front();
  EXPECT_EQ(table.denoised.front().used, "raw");
  EXPECT_EQ(table.denoised.front().risk, 1);
  for (const Row& row : table.rows) EXPECT_EQ(*row.numbers[0].denoised, row.numbers[0].value);
}

double squared_error(const Table& table, bool of_denoised) {
  double error = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Number& number = table.rows[i].numbers[0];
    error += std::pow((of_denoised ? *number.denoised : number.value) - 100 - static_cast<double>(i), 2);
  }
  return error;
}

// Noise of about 11 against counts that differ by 12: nearly all that is seen of their differences is noise.
TEST(Derived, BringsNumbersThatAreAlikeNearerToTheTruth) {
  double raw = 0, denoised = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    ReleaseTerms terms;
    terms.study.epsilon = "0.125";
    terms.seed = seed;
    const auto statistic = testing::with_columns(of_many_regions(12, Denoise::least_risk), {0});
    const Table table = released({statistic}, terms, even_groups).tables.front();
    raw += squared_error(table, false);
    denoised += squared_error(table, true);
  }
  EXPECT_LT(denoised, 0.6 * raw);
}

TEST(Derived, MakesTablesAddUp) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Release release = seeded(testing::that_add_up(6), seed);
    double sum = 0;
    for (const Row& row : release.tables[0].rows) {
      const Number& number = row.numbers[0];
      sum += *number.denoised;
      EXPECT_TRUE(number.denoised_interval->contains(*number.denoised));
      EXPECT_LT(number.denoised_interval->high - number.denoised_interval->low, 4 * number.accuracy);
    }
    const Number& total = release.tables[1].rows[0].numbers[0];
    EXPECT_NEAR(sum, *total.denoised, 1e-9 * sum);
    EXPECT_EQ(release.tables[0].denoised.front().used, "least-squares");
    EXPECT_LT(release.tables[0].denoised.front().risk, 1);
    EXPECT_LT(release.tables[1].denoised.front().risk, 1);
  }
}

// The total is measured with noise of its own, and so is the sum of six cells: together they are nearer.
TEST(Derived, CoversWhatIsMadeToAddUp) {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Release release = seeded(testing::that_add_up(6), seed);
    for (std::size_t i = 0; i < 6; ++i) {
      const Number& number = release.tables[0].rows[i].numbers[0];
      missed += number.denoised_interval->contains(100 + static_cast<double>(i)) ? 0 : 1;
    }
    missed += release.tables[1].rows[0].numbers[0].denoised_interval->contains(615) ? 0 : 1;
  }
  EXPECT_LT(missed, 30);  // of 210 at 0.05 each 10 are expected
}

TEST(Derived, LeavesTheNumberByWhichPrivateGroupsWereChosen) {
  plan::BoundStatistic statistic = testing::by_private_region();
  statistic.inference.denoise = Denoise::james_stein;
  const Table table = seeded({statistic}, 2, testing::raw_groups).tables.front();
  ASSERT_EQ(table.denoised.size(), 1U);
  EXPECT_EQ(table.denoised.front().aggregation, 1U);
  for (const Row& row : table.rows) {
    EXPECT_FALSE(row.numbers[0].denoised);
    EXPECT_TRUE(row.numbers[1].denoised);
    EXPECT_FALSE(row.numbers[2].denoised);
  }
}

TEST(Derived, ComparesGroupsInEveryColumn) {
  const Release release = seeded({compared(testing::by_region(), "south", "north")}, 1, testing::raw_groups);
  ASSERT_EQ(release.tables[0].differences.size(), 2U);
  const GroupDifference &there = release.tables[0].differences[0], &back = release.tables[0].differences[1];
  EXPECT_EQ(there.groups, (query::Difference{"south", "north"}));
  const Row &south = release.tables[0].rows[0], &north = release.tables[0].rows[1];
  ASSERT_EQ(there.numbers.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(there.numbers[i].value, south.numbers[i].value - north.numbers[i].value, 1e-3) << i;
    EXPECT_NEAR(there.numbers[i].value, -back.numbers[i].value, 1e-9);
    EXPECT_TRUE(there.numbers[i].interval.contains(there.numbers[i].value));
    EXPECT_LT(there.numbers[i].accuracy, south.numbers[i].accuracy + north.numbers[i].accuracy);
    EXPECT_GT(there.numbers[i].accuracy, std::max(south.numbers[i].accuracy, north.numbers[i].accuracy));
    EXPECT_EQ(there.numbers[i].coverage, interval::Status::proven);
  }
}

TEST(Derived, CoversDifferencesOfGroups) {
  int rows = 0, sums = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Release release = seeded({compared(testing::by_region(), "south", "north")}, seed, testing::raw_groups);
    const GroupDifference& there = release.tables[0].differences[0];
    rows += there.numbers[0].interval.contains(200) ? 1 : 0;    // 500 - 300 rows
    sums += there.numbers[1].interval.contains(-6500) ? 1 : 0;  // -4000 - 2500
  }
  EXPECT_GE(rows, 16);  // at 95 %, fewer in one of 300 sets of seeds
  EXPECT_GE(sums, 16);
}

TEST(Derived, ComparesSpreadsAndWhatComesFromTheirSums) {
  const Release release = seeded({compared(testing::spread_by_region(), "south", "north")}, 1, testing::raw_groups);
  for (const Number& number : release.tables[0].differences[0].numbers) {
    EXPECT_TRUE(number.interval.contains(number.value));
    EXPECT_TRUE(number.informative);
  }
}

TEST(Derived, ComparesPrivateGroupsThatWereBothPublished) {
  plan::BoundStatistic statistic = compared(testing::by_private_region(), "west\n'end'", "north \"pole\"");
  statistic.inference.differences.push_back({"a", "north \"pole\""});
  const Table table = seeded({statistic}, 2, testing::raw_groups).tables.front();
  ASSERT_EQ(table.rows.size(), 2U);  // "a" has two units
  EXPECT_EQ(table.differences.size(), 2U);
  EXPECT_TRUE(table.differences[0].numbers[0].interval.contains(100));  // 400 - 300 units
}

}  // namespace
}  // namespace vernier::release
