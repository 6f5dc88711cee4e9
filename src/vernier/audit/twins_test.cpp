#include "vernier/audit/twins.hpp"

#include <gtest/gtest.h>

#include "support/simulated_releases.hpp"

// Bits are seeded, so that a right audit is right at every run; the levels are those of an audit.
namespace vernier::audit {
namespace {

TwinCase case_of(const std::string& beginning) {
  for (const TwinCase& twin : twin_cases()) {
    if (twin.claim.starts_with(beginning)) return twin;
  }
  ADD_FAILURE() << beginning;
  return {};
}

const TwinCase count = case_of("COUNT(*), geometric"), sum = case_of("SUM(x), a value"),
               two_groups = case_of("COUNT(*) of units in two"), replaced = case_of("SUM(x), a unit replaced"),
               two_columns = case_of("two columns"), mean = case_of("AVG(x)"), profile = case_of("COUNT(*), discrete"),
               keys = case_of("private keys");

Column geometric_column(double scale, std::int64_t sensitivity) { return {"geometric", scale, sensitivity}; }

constexpr std::size_t usual = 20'000;

void expect_all(const std::vector<Finding>& found, Verdict verdict) {
  EXPECT_FALSE(found.empty());
  for (const Finding& finding : found) EXPECT_EQ(finding.verdict, verdict) << finding.claim << ": " << finding.outcome;
}

Simulated right_count() { return {geometric_column(1, 1), geometric(1)}; }
Simulated right_mean() { return {geometric_column(10, 10), geometric(10)}; }
Simulated right_profile() { return {{"discrete-gaussian", 1.1119, 1}, gaussian(1.1119), 1, 0.1}; }
Simulated right_keys() { return {{"discrete-gaussian", 0.939, 1}, gaussian(0.939), 1, 0.2, 1, 1, false, 3.0, 3}; }

TEST(AuditTwins, FindNothingWhereThereIsNothingAndComeNearTheClaim) {
  expect_all(findings(count, right_count(), usual), Verdict::stands);
  expect_all(findings(sum, {geometric_column(10, 10), geometric(10)}, usual), Verdict::stands);
  expect_all(findings(two_groups, {geometric_column(2, 1), geometric(2)}, usual), Verdict::stands);
  expect_all(findings(replaced, {geometric_column(10, 10), geometric(10), 2}, usual), Verdict::stands);
  expect_all(findings(two_columns, {geometric_column(1, 1), geometric(1), 2, 0, 1, 2}, usual), Verdict::stands);
  expect_all(findings(mean, right_mean(), usual), Verdict::stands);
  expect_all(findings(profile, right_profile(), usual), Verdict::stands);
  expect_all(findings(keys, right_keys(), 2 * usual), Verdict::stands);
  const Finding bound = findings(count, right_count(), usual).front();
  EXPECT_GE(*bound.found, least_nearness * *bound.claimed);
  EXPECT_LE(*bound.found, *bound.claimed);
}

TEST(AuditTwins, SayThatTheyHaveNoPowerWhereCanariesAreFew) {
  EXPECT_EQ(findings(count, right_count(), 500).front().verdict, Verdict::powerless);
  EXPECT_EQ(findings(profile, right_profile(), 500).front().verdict, Verdict::powerless);
  EXPECT_EQ(findings(keys, right_keys(), 500).front().verdict, Verdict::powerless);
}

TEST(AuditTwins, ReadOfAReleaseWhatItClaims) {
  const char* const record =
      R"({"guarantee":{"epsilon":1,"delta":0.2},"versions":{"engine":"E 1"},"statistics":[{"releases":[{"column":"n",)"
      R"("mechanism":"geometric","scale":2.5,"sensitivity":3}],"rows":[{"k":7,"n":{"interval":[1,"18014398509481985"]}}]}],)"
      R"("certificate":{"statistics":[{"private_keys":{"threshold":4},"noisy":[[-5]]}]}})";
  const Result<Released> read = read_released(record);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->epsilon, 1);
  EXPECT_EQ(read->threshold, 4);
  EXPECT_EQ(read->columns.front().scale, 2.5);
  EXPECT_EQ(read->groups.front().key, 7);
  EXPECT_EQ(read->groups.front().noisy, std::vector<std::int64_t>{-5});
  EXPECT_EQ(read->groups.front().intervals.front().high, 0x1p54);
  EXPECT_FALSE(read_released("{}"));
  EXPECT_FALSE(read_released("no record"));
}

TEST(AuditMutants, HalfTheScaleIsRefuted) {
  expect_all(findings(count, {geometric_column(1, 1), geometric(0.5)}, usual), Verdict::refuted);
  expect_all(findings(profile, {{"discrete-gaussian", 1.1119, 1}, gaussian(0.556), 1, 0.1}, usual), Verdict::refuted);
}

TEST(AuditMutants, NineTenthsOfTheScaleAreRefuted) {
  expect_all(findings(count, {geometric_column(1, 1), geometric(0.9)}, 10 * usual), Verdict::refuted);
  expect_all(findings(sum, {geometric_column(10, 10), geometric(9)}, 10 * usual), Verdict::refuted);
  expect_all(findings(profile, {{"discrete-gaussian", 1.1119, 1}, gaussian(1.0007), 1, 0.1}, 10 * usual),
             Verdict::refuted);
}

// A canary counts twice: rows of a unit beyond max_rows, values beyond their bounds, groups beyond max_groups.
TEST(AuditMutants, HalfTheSensitivityIsRefuted) {
  const auto refuted = [](const TwinCase& twin, Simulated how) {
    how.times_moved = 2;
    return findings(twin, how, usual).front().verdict;
  };
  EXPECT_EQ(refuted(sum, {geometric_column(10, 10), geometric(10)}), Verdict::refuted);
  EXPECT_EQ(refuted(two_groups, {geometric_column(2, 1), geometric(2)}), Verdict::refuted);
  EXPECT_EQ(refuted(replaced, {geometric_column(10, 10), geometric(10), 2}), Verdict::refuted);
  EXPECT_EQ(refuted(mean, right_mean()), Verdict::refuted);
  EXPECT_EQ(refuted(profile, right_profile()), Verdict::refuted);
}

TEST(AuditMutants, VarianceInPlaceOfTheScaleIsRefuted) {
  const Column stated{"discrete-gaussian", 0.8, 1};  // 2 at a delta of 0.1
  expect_all(findings(profile, {stated, gaussian(0.8), 2, 0.1}, usual), Verdict::stands);
  expect_all(findings(profile, {stated, gaussian(0.8 * 0.8), 2, 0.1}, usual), Verdict::refuted);
}

TEST(AuditMutants, ThresholdTooLowByOneIsRefuted) {
  Simulated how = right_keys();
  how.published_from = 2;
  expect_all(findings(keys, how, 2 * usual), Verdict::refuted);
}

TEST(AuditMutants, KeysWithoutAThresholdAreRefuted) {
  Simulated how = right_keys();
  how.threshold = std::nullopt;
  how.published_from = std::numeric_limits<std::int64_t>::min();
  expect_all(findings(keys, how, 2 * usual), Verdict::refuted);
}

TEST(AuditMutants, OneDrawForTwoColumnsIsRefuted) {
  Simulated how{geometric_column(1, 1), geometric(1), 2, 0, 1, 2, true};
  const std::vector<Finding> all = findings(two_columns, how, usual);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].verdict, Verdict::refuted);
  EXPECT_EQ(all[3].verdict, Verdict::stands);  // groups have noise of their own
}

}  // namespace
}  // namespace vernier::audit
