#include "vernier/audit/twins.hpp"

#include <algorithm>
#include <cmath>

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
               two_columns = case_of("two columns of"), replaced_columns = case_of("two columns, a unit"),
               mean = case_of("AVG(x)"), profile = case_of("COUNT(*), discrete"), keys = case_of("private keys"),
               choice = case_of("MEDIAN(x)");

Column geometric_column(double scale, std::int64_t sensitivity) { return {"geometric", scale, sensitivity}; }

constexpr std::size_t usual = 20'000;

void expect_all(const std::vector<Finding>& found, Verdict verdict) {
  EXPECT_FALSE(found.empty());
  for (const Finding& finding : found) EXPECT_EQ(finding.verdict, verdict) << finding.claim << ": " << finding.outcome;
}

Simulated right_count() { return {geometric_column(1, 1), geometric(1)}; }
Simulated right_mean() { return {geometric_column(10, 10), geometric(10)}; }
Simulated right_columns() { return {geometric_column(2, 1), geometric(2), 2, 0, 1, 2}; }
// In 64 parts of a row.
Simulated right_box() {
  Simulated how{{"box", 0.5, 64}, geometric(1), 2, 0, 64, 2};
  how.box = 0.5;
  return how;
}
Simulated right_profile() { return {{"discrete-gaussian", 1.1119, 1}, gaussian(1.1119), 1, 0.1}; }
Simulated right_keys() { return {{"discrete-gaussian", 0.939, 1}, gaussian(0.939), 1, 0.2, 1, 1, false, 3.0, 3}; }

TEST(AuditTwins, FindNothingWhereThereIsNothingAndComeNearTheClaim) {
  expect_all(findings(count, right_count(), usual), Verdict::stands);
  expect_all(findings(sum, {geometric_column(10, 10), geometric(10)}, usual), Verdict::stands);
  expect_all(findings(two_groups, {geometric_column(2, 1), geometric(2)}, usual), Verdict::stands);
  expect_all(findings(replaced, {geometric_column(10, 10), geometric(10), 2}, usual), Verdict::stands);
  expect_all(findings(two_columns, {geometric_column(1, 1), geometric(1), 2, 0, 1, 2}, usual), Verdict::stands);
  expect_all(findings(replaced_columns, right_columns(), 2 * usual), Verdict::stands);
  expect_all(findings(two_columns, right_box(), usual), Verdict::stands);
  expect_all(findings(mean, right_mean(), usual), Verdict::stands);
  expect_all(findings(profile, right_profile(), usual), Verdict::stands);
  expect_all(findings(keys, right_keys(), 2 * usual), Verdict::stands);
  const Finding bound = findings(count, right_count(), usual).front();
  EXPECT_GE(*bound.found, least_nearness * *bound.claimed);
  EXPECT_LE(*bound.found, *bound.claimed);
}

// As many as are to be expected: the canary makes its point e^(epsilon / 2) times as likely as the other.
Finding chosen(double epsilon, std::int64_t number) {
  const auto likely = static_cast<std::int64_t>(static_cast<double>(number) / (1 + std::exp(-epsilon / 2)));
  TwinTally tally{.canaries = 2 * number, .epsilon = 2};
  tally.seen = {{{1, number - likely}, {2, likely}}, {{1, likely}, {2, number - likely}}};
  return findings_on(choice, tally).front();
}

TEST(AuditTwins, ComeNearWhatAChoiceMayGiveAway) {
  const Finding found = chosen(2, 15'000);
  EXPECT_EQ(found.verdict, Verdict::stands) << found.outcome;
  EXPECT_NEAR(*found.claimed, std::tanh(0.5), 1e-6);
  EXPECT_GE(*found.found, least_nearness * *found.claimed);
  EXPECT_EQ(chosen(1.2, 15'000).verdict, Verdict::powerless) << "far below what it may give away";
  EXPECT_EQ(chosen(2, 500).verdict, Verdict::powerless);
}

TEST(AuditMutants, ChoicesThatGiveAwayMoreAreRefuted) {
  EXPECT_EQ(chosen(4, 15'000).verdict, Verdict::refuted);
  EXPECT_EQ(chosen(2 / 0.9, 120'000).verdict, Verdict::refuted);
}

// Two rows of a canary turn the median of three others.
TEST(AuditTwins, PutRowsOfChoicesWhereTheyCountMost) {
  EXPECT_EQ(Canaries::of(choice, {true, false}).csv,
            "id,g,x\n2,0,1\n3,0,1\n4,0,2\n0,0,1000\n0,0,1000\n5,1,1\n6,1,1\n7,1,2\n");
}

TEST(AuditTwins, SayThatTheyHaveNoPowerWhereCanariesAreFew) {
  EXPECT_EQ(findings(count, right_count(), 500).front().verdict, Verdict::powerless);
  EXPECT_EQ(findings(profile, right_profile(), 500).front().verdict, Verdict::powerless);
  EXPECT_EQ(findings(keys, right_keys(), 500).front().verdict, Verdict::powerless);
}

TEST(AuditTwins, ReadOfAReleaseWhatItClaims) {
  const char* const record =
      R"({"guarantee":{"epsilon":1,"delta":0.2},"versions":{"engine":"E 1"},"statistics":[{"releases":[{"column":"n",)"
      R"("mechanism":"geometric","scale":2.5,"sensitivity":3,"granularity":0.5}],)"
      R"("rows":[{"k":7,"n":{"interval":[1,"18014398509481985"]}}]}],)"
      R"("certificate":{"statistics":[{"private_keys":{"threshold":4},"noisy":[[-5]]}]}})";
  const Result<Released> read = read_released(record);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->epsilon, 1);
  EXPECT_EQ(read->threshold, 4);
  EXPECT_EQ(read->columns.front().scale, 2.5);
  EXPECT_EQ(read->columns.front().granularity, 0.5);
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
  TwinCase asked = profile;
  asked.words = {"--epsilon", "2", "--delta", "0.1"};
  expect_all(findings(asked, {stated, gaussian(0.8), 2, 0.1}, usual), Verdict::stands);
  expect_all(findings(asked, {stated, gaussian(0.8 * 0.8), 2, 0.1}, usual), Verdict::refuted);
}

// Twice the epsilon that was asked for, said in the record and spent.
TEST(AuditMutants, RecordsThatClaimMoreThanWasAskedAreRefuted) {
  const Column stated{"discrete-gaussian", 0.8, 1};
  const std::vector<Finding> all = findings(profile, {stated, gaussian(0.8), 2, 0.1}, usual);
  EXPECT_TRUE(std::ranges::any_of(all, [](const Finding& one) { return one.verdict == Verdict::refuted; }));
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

// Bets, noise, columns, groups.
std::vector<Verdict> verdicts(const TwinCase& twin, const Simulated& how) {
  std::vector<Verdict> all;
  for (const Finding& one : findings(twin, how, usual)) all.push_back(one.verdict);
  return all;
}

TEST(AuditMutants, OneDrawForTwoColumnsIsRefuted) {
  Simulated how = right_columns();
  how.shares_draws = true;
  const std::vector<Verdict> found = verdicts(replaced_columns, how);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[2], Verdict::refuted);
  EXPECT_EQ(found[3], Verdict::stands) << "groups have noise of their own";
}

TEST(AuditMutants, OneDrawForTwoColumnsOfABoxIsRefuted) {
  Simulated how = right_box();
  how.shares_draws = true;
  const std::vector<Verdict> found = verdicts(two_columns, how);
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[1], Verdict::refuted);
  EXPECT_EQ(found[2], Verdict::refuted);
  EXPECT_EQ(found[3], Verdict::stands);
}

// Of noise that is drawn in blocks.
TEST(AuditMutants, OneDrawForTwoGroupsIsRefuted) {
  for (const std::size_t far : {1, 8, 1024}) {
    for (const auto& [twin, right] : {std::pair(&count, right_count()), std::pair(&replaced_columns, right_columns()),
                                      std::pair(&profile, right_profile()), std::pair(&two_columns, right_box())}) {
      Simulated how = right;
      how.repeats = far;
      EXPECT_EQ(verdicts(*twin, how).back(), Verdict::refuted) << twin->claim << ", " << far << " apart";
    }
  }
}

TEST(AuditMutants, NineTenthsOfTheScaleOfABoxAreRefuted) {
  Simulated how = right_box();
  how.box = 0.45;
  const std::vector<Verdict> found = verdicts(two_columns, how);
  EXPECT_EQ(found[1], Verdict::refuted);
  how.box = 0.55;
  EXPECT_EQ(verdicts(two_columns, how)[1], Verdict::refuted) << "wider than it is stated";
}

}  // namespace
}  // namespace vernier::audit
