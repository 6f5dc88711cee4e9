#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/weighted_releases.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/release/verify/verify.hpp"

// Quantiles of weighted rows, from weights by value to a record that cannot be changed.
namespace vernier::release {
namespace {

using noise::Occupied;
using testing::BoundStatistic;
using testing::Json;
using testing::problem_of;
using testing::RawGroup;
using Histogram = std::vector<Occupied>;

// Values 1 to 16 of educ are the points 0 to 15; most of the weight is at 6.
const Histogram steep{{0, 20'000}, {5, 60'000}, {15, 20'000}};

std::vector<RawGroup> with_histogram(const BoundStatistic& statistic) {
  std::vector<RawGroup> groups;
  for (std::size_t i = 0; i < statistic.keys.cells.size(); ++i) {
    groups.push_back({static_cast<std::int64_t>(i), {}, {}, {steep}});
  }
  return groups;
}

const Release& weighted_release() {
  static const Release made = testing::released({testing::weighted_ranks()}, {}, with_histogram);
  return made;
}

Json record() { return Json::parse(testing::record_of(weighted_release())); }

TEST(WeightedQuantileRecord, HoldsAndIsOfThePopulation) {
  EXPECT_EQ(problem_of(record()), "");
  const Json row = record()["statistics"][0]["rows"][0];
  EXPECT_EQ(row["m"]["value"], 6);
  EXPECT_EQ(row["m"]["covers"], "population");
  EXPECT_EQ(row["m"]["coverage"], "proven");
  EXPECT_EQ(row["q"]["interval"][1], 16);
  EXPECT_EQ(record()["statistics"][0]["releases"][0]["weighted_by"], "w");
  EXPECT_EQ(record()["statistics"][0]["releases"][0]["sensitivity"], 8 * 2);
  EXPECT_EQ(record()["statistics"][0]["releases"][1]["sensitivity"], 8 * 9 * 2);
}

TEST(WeightedQuantileRecord, RefusesEveryChangedWord) {
  BoundStatistic statistic = testing::weighted_ranks();
  statistic.keys.cells.resize(1);
  const Json whole = Json::parse(testing::record_of(testing::released({statistic}, {}, with_histogram)));
  EXPECT_GT(testing::expect_changes_refused(whole,
                                            {{"/survey_weight/", "/measurements/", "/releases/", "/rows/", "/noisy/"}}),
            60);
}

TEST(WeightedQuantileRecord, RefusesWeightsThatAreLeftOutOrTooMany) {
  Json without = record();
  without["certificate"]["statistics"][0].erase("survey_weight");
  EXPECT_NE(problem_of(without), "");
  Json heavy = record();
  heavy["certificate"]["statistics"][0]["survey_weight"]["heaviest"] = std::int64_t{1} << 53;
  EXPECT_NE(problem_of(heavy).find("its steps"), std::string::npos) << problem_of(heavy);
  Json coarser = record();
  coarser["certificate"]["statistics"][0]["survey_weight"]["granularity"] = 1.0;
  EXPECT_NE(problem_of(coarser), "");
}

// What a table with more rows than were declared can bring is refused where ranks would leave their bits.
TEST(WeightedQuantileRecord, RefusesWeightsThatLeaveTheirBits) {
  BoundStatistic statistic = testing::weighted_ranks();
  const auto is_taken = [&](std::int64_t weight) {
    return ExactNumbers::of(statistic, engine::RawAggregates({{0, {}, {}, {{{3, weight}, {4, 1}}}}})).has_value();
  };
  const std::int64_t fits = (std::int64_t{1} << 61) / 20 - 1;
  EXPECT_TRUE(is_taken(fits - 1));
  EXPECT_FALSE(is_taken(fits));
  statistic.measurements.pop_back();  // of the median alone
  statistic.query.aggregations.pop_back();
  EXPECT_TRUE(is_taken(fits));
}

}  // namespace
}  // namespace vernier::release
