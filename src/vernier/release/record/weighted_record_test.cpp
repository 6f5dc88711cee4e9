#include <cmath>

#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/weighted_releases.hpp"
#include "vernier/release/verify/verify.hpp"

// Releases of weighted rows: what they say of the weights is in the record, and cannot be changed there.
namespace vernier::release {
namespace {

using testing::BoundStatistic;
using testing::Json;
using testing::problem_of;

const Release& weighted_release() {
  static const Release made = testing::released({testing::weighted_by_region()}, {}, testing::quarter_at_the_top);
  return made;
}

Json record_of_weighted() { return Json::parse(testing::record_of(weighted_release())); }

TEST(WeightedRecord, Holds) { EXPECT_EQ(problem_of(record_of_weighted()), ""); }

TEST(WeightedRecord, HasTheWeightedMeanAndSaysWhoseWeightsTheyAre) {
  const Json record = record_of_weighted();
  const Json& number = record["statistics"][0]["rows"][0]["mean"];
  EXPECT_EQ(number["covers"], "population");
  EXPECT_EQ(number["coverage"], "tested");
  EXPECT_NEAR(number["value"].get<double>(), 1 + 15 * 0.25, 1);
  EXPECT_NEAR(record["statistics"][0]["rows"][0]["sd"]["value"].get<double>(), 15 * std::sqrt(0.1875), 1);
  EXPECT_EQ(record["statistics"][0]["releases"][1]["weighted_by"], "w");
  EXPECT_EQ(record["certificate"]["statistics"][0]["survey_weight"],
            Json::parse(R"({"column": "w", "granularity": 0.5, "heaviest": 8})"));
  EXPECT_NE(record.dump().find("are weighted by its column 'w', moved into its bounds"), std::string::npos);
}

// 2,000 members with an educ, of whom 500 have 16 and the others 1, and 50 without.
TEST(WeightedRecord, HasTotalsInMembers) {
  const Json row = record_of_weighted()["statistics"][0]["rows"][0];
  EXPECT_EQ(row["people"]["covers"], "population");
  EXPECT_EQ(row["people"]["coverage"], "tested");
  EXPECT_NEAR(row["people"]["value"].get<double>(), 2050, 100);
  EXPECT_GT(row["people"]["accuracy"].get<double>(), 1.96 * std::sqrt(3.0 * 2050));
  EXPECT_NEAR(row["total"]["value"].get<double>(), 1500 + 500 * 16, 800);
  EXPECT_EQ(row["total"]["coverage"], "tested");
  EXPECT_NE(record_of_weighted().dump().find("each member with a chance of one over its weight"), std::string::npos);
}

TEST(WeightedRecord, IsReadBackAsItWasWritten) {
  const Record record = read_record(testing::record_of(weighted_release())).value();
  EXPECT_EQ(record.plan.study.statistics[0].weighted, weighted_release().plan.study.statistics[0].weighted);
}

TEST(WeightedRecord, RefusesEveryChangedWord) {
  const Json record = record_of_weighted();
  EXPECT_GT(testing::expect_changes_refused(record, {{"/survey_weight/", "/releases/", "/rows/0/"}}), 60);
}

TEST(WeightedRecord, RefusesWeightsThatAreLeftOutOrOfAnotherGrid) {
  Json without = record_of_weighted();
  without["certificate"]["statistics"][0].erase("survey_weight");
  EXPECT_NE(problem_of(without), "");
  Json coarser = record_of_weighted();
  coarser["certificate"]["statistics"][0]["survey_weight"]["granularity"] = 1.0;
  EXPECT_NE(problem_of(coarser).find("total: accuracy"), std::string::npos) << problem_of(coarser);
  Json of_rows = record_of_weighted();
  of_rows["certificate"]["statistics"][0]["inference"]["covers"] = "sample";
  EXPECT_NE(problem_of(of_rows), "");
  Json heavy = record_of_weighted();
  heavy["certificate"]["statistics"][0]["survey_weight"]["heaviest"] = std::int64_t{1} << 53;
  EXPECT_NE(problem_of(heavy).find("its steps"), std::string::npos) << problem_of(heavy);
}

// Changed where the record is still one of its kind, but of weights that are no numbers of members.
TEST(WeightedRecord, RefusesTotalsOfWeightsBelowOneMember) {
  Json light = record_of_weighted();
  light["certificate"]["statistics"][0]["survey_weight"]["granularity"] = 0.0625;
  EXPECT_NE(problem_of(light).find("stays below 1"), std::string::npos) << problem_of(light);
}

// A count of weighted rows is no count of rows, and its steps are those of the weight.
TEST(WeightedRecord, RefusesCountsOfAnotherMeasure) {
  const std::string measurement = "/certificate/statistics/0/measurements/4";
  Json of_units = record_of_weighted();
  of_units[Json::json_pointer(measurement + "/kind")] = "units";
  EXPECT_NE(problem_of(of_units).find("counts units"), std::string::npos) << problem_of(of_units);
  Json less = record_of_weighted();
  less[Json::json_pointer(measurement + "/greatest")] = 1'000'000;
  EXPECT_NE(problem_of(less).find("what row limit and bounds allow"), std::string::npos) << problem_of(less);
}

}  // namespace
}  // namespace vernier::release
