#include <algorithm>

#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/inferred_releases.hpp"
#include "vernier/release/verify/verify.hpp"

// What a study says of intervals is in the record, and cannot be changed there.
namespace vernier::release {
namespace {

using testing::inferred_releases;
using testing::Json;
using testing::problem_of;

Json record_of(const testing::NamedRelease& named) { return Json::parse(testing::record_of(named.release)); }

TEST(InferenceRecord, Holds) {
  for (const auto& named : inferred_releases()) EXPECT_EQ(problem_of(record_of(named)), "") << named.name;
}

TEST(InferenceRecord, IsReadBackAsItWasWritten) {
  for (const auto& named : inferred_releases()) {
    const Record record = read_record(testing::record_of(named.release)).value();
    for (std::size_t i = 0; i < record.tables.size(); ++i) {
      EXPECT_EQ(record.plan.study.statistics[i].inference, named.release.plan.study.statistics[i].inference);
    }
  }
}

TEST(InferenceRecord, IsAbsentWhereAllIsAsUsual) {
  const Json record = Json::parse(testing::record_of(testing::kinds_of_releases()[0].release));
  EXPECT_FALSE(record["certificate"]["statistics"][0].contains("inference"));
  EXPECT_EQ(plan::canonical(testing::kinds_of_releases()[0].release.plan).find("inference"), std::string::npos);
}

// Every word of it, of what is asked and of what every number says.
TEST(InferenceRecord, RefusesEveryChangedWord) {
  int refused = 0;
  for (const auto& named : inferred_releases()) {
    const Json record = record_of(named);
    refused += testing::expect_changes_refused(record, {{"/inference/", "/rows/0/", "/releases/"}});
  }
  EXPECT_GT(refused, 20);
}

const testing::NamedRelease& release_named(const std::string& name) {
  const auto& all = inferred_releases();
  return *std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
}

TEST(InferenceRecord, RefusesAnIntervalThatIsSaidToBeOfTheRows) {
  Json record = record_of(release_named("population"));
  Json& number = record["statistics"][0]["rows"][0]["mean"];
  EXPECT_EQ(number["covers"], "population");
  EXPECT_EQ(number["coverage"], "tested");
  number["covers"] = "bounded-value";
  EXPECT_NE(problem_of(record).find("covers bounded-value should be population"), std::string::npos);
  const Json proven = record_of(release_named("population, guaranteed"));
  EXPECT_EQ(proven["statistics"][0]["rows"][0]["mean"]["coverage"], "proven");
}

// How many groups hold at once is part of what is said.
TEST(InferenceRecord, RefusesAPrivateGroupThatIsLeftOutOfThoseThatHoldAtOnce) {
  const auto without_last = [](Json record) {
    Json& rows = record["statistics"][0]["rows"];
    EXPECT_GE(rows.size(), 2U);
    rows.erase(rows.size() - 1);
    Json& noisy = record["certificate"]["statistics"][0]["noisy"];
    noisy.erase(noisy.size() - 1);
    return problem_of(record);
  };
  EXPECT_NE(without_last(record_of(release_named("simultaneous, of private keys"))), "");
  EXPECT_EQ(without_last(Json::parse(testing::record_of(testing::kind_of_release("private keys")))), "");
}

TEST(InferenceRecord, IsWiderForAllAtOnceAndForAPopulation) {
  const auto accuracy = [](const testing::NamedRelease& named, std::size_t column) {
    return named.release.plan.statistics[0].noise[column].accuracy;
  };
  EXPECT_GT(accuracy(release_named("population, simultaneous"), 1), accuracy(release_named("population"), 1));
  const auto& usual = testing::kind_of_release("spreads").plan.statistics[0].noise[1].accuracy;
  EXPECT_GT(accuracy(release_named("population"), 1), usual);
}

TEST(InferenceRecord, RefusesOneThatIsLeftOutOrAdded) {
  for (const auto& named : inferred_releases()) {
    Json without = record_of(named);
    without["certificate"]["statistics"][0].erase("inference");
    EXPECT_NE(problem_of(without), "") << named.name;
  }
  Json with = Json::parse(testing::record_of(testing::kinds_of_releases()[0].release));
  with["certificate"]["statistics"][0]["inference"] =
      record_of(inferred_releases()[0])["certificate"]["statistics"][0]["inference"];
  EXPECT_NE(problem_of(with).find("plan: hash"), std::string::npos) << problem_of(with);
}

}  // namespace
}  // namespace vernier::release
