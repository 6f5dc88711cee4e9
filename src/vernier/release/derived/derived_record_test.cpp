#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/derived_releases.hpp"
#include "vernier/release/verify/verify.hpp"

// What was made of numbers is in the record, and cannot be changed there.
namespace vernier::release {
namespace {

using testing::derived_releases;
using testing::Json;
using testing::problem_of;

Json record_of(const testing::NamedRelease& named) { return Json::parse(testing::record_of(named.release)); }

TEST(DerivedRecord, Holds) {
  for (const auto& named : derived_releases()) EXPECT_EQ(problem_of(record_of(named)), "") << named.name;
}

TEST(DerivedRecord, CountsWhatItRecomputed) {
  const std::vector<std::int64_t> counts = {12, 7, 6, 6};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const Verdict verdict = verify(testing::record_of(derived_releases()[i].release), {});
    std::int64_t found = 0;
    for (const Check& check : verdict.checks) found += check.name == "derived" ? check.count : 0;
    EXPECT_EQ(found, counts[i]) << derived_releases()[i].name;
  }
}

// Every figure and every word.
TEST(DerivedRecord, RefusesEveryChange) {
  int refused = 0;
  for (const auto& named : derived_releases()) {
    const Json record = record_of(named);
    refused += testing::expect_changes_refused(record, {.parts = {"/denoise", "/differences/", "/family"}, .but = {}});
  }
  EXPECT_GT(refused, 100);
}

TEST(DerivedRecord, RefusesWhatIsLeftOut) {
  Json denoised = record_of(derived_releases()[0]), bare = denoised, differences = record_of(derived_releases()[2]);
  denoised["statistics"][0]["rows"][3]["n"].erase("denoised");
  EXPECT_NE(problem_of(denoised).find("row 4, n: denoised value missing"), std::string::npos) << problem_of(denoised);
  bare["statistics"][0].erase("denoise");
  EXPECT_NE(problem_of(bare).find("denoise is missing"), std::string::npos) << problem_of(bare);
  differences["statistics"][0]["differences"].erase(1);
  EXPECT_NE(problem_of(differences).find("number of differences 1 should be 2"), std::string::npos);
}

TEST(DerivedRecord, RefusesFamiliesThatDoNotFit) {
  Json record = record_of(derived_releases()[1]);
  record["certificate"]["statistics"][1]["measurements"][0]["family"] = 2;
  EXPECT_NE(problem_of(record), "");
  record["certificate"]["statistics"][1]["measurements"][0].erase("family");
  EXPECT_NE(problem_of(record), "");
}

}  // namespace
}  // namespace vernier::release
