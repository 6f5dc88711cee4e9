#include "vernier/audit/covering.hpp"

#include <gtest/gtest.h>

#include "support/simulated_releases.hpp"

namespace vernier::audit {
namespace {

// Sums with noise of scale 10 and intervals of 90 %, ends included; shorter ones where `part` is below 1.
Result<Released> sums(const CoverageCase& one, const Sample& sample, double part, testing::SeededSource& source) {
  const IntegerLaw law = geometric(10);
  const auto accuracy =
      part * static_cast<double>(
                 std::get<noise::Geometric>(law).two_sided_quantile(Probability::of(tried_alpha).value()).value());
  const std::vector<std::int64_t> noise = draws_of(law, one.groups, source);
  Released released{1, 0, {}, {}, {}, "none"};
  for (std::size_t i = 0; i < one.groups; ++i) {
    const double value = truth_of("SUM(x)", sample.groups[i]) + static_cast<double>(noise[i]);
    released.groups.push_back({static_cast<std::int64_t>(i), {}, {{value - accuracy, value + accuracy}}});
  }
  return released;
}

Finding judged(double part) {
  testing::SeededSource seeded = testing::seeded_source(9);
  Result<random::Source> source = random::Source::open();
  const Timekeeper time(0.001, nobody_watches);
  const CoverageCase one{{"SUM(x)"}, "SUM(x) AS a", 10'000};
  const auto release = [&](const CoverageCase& asked, const Sample& sample) {
    return sums(asked, sample, part, seeded);
  };
  return covered(one, release, *source, time, Timekeeper::Clock::now()).value().front();
}

TEST(AuditCoverage, StandsWhereIntervalsAreRight) { EXPECT_EQ(judged(1).verdict, Verdict::stands); }

TEST(AuditCoverage, IsRefutedWhereIntervalsAreAFifthTooShort) { EXPECT_EQ(judged(0.8).verdict, Verdict::refuted); }

TEST(AuditCoverage, HasNoPowerOverAFewIntervals) {
  EXPECT_EQ(finding_on_coverage("x", {45, 50}).verdict, Verdict::powerless);
}

TEST(AuditCoverage, KnowsWhatIsTrue) {
  const std::vector<std::int64_t> values = {3, 1, 10, 0, 6};
  EXPECT_EQ(truth_of("COUNT(*)", values), 5);
  EXPECT_EQ(truth_of("SUM(x)", values), 20);
  EXPECT_EQ(truth_of("AVG(x)", values), 4);
  EXPECT_EQ(truth_of("VARIANCE(x)", values), 16.5);
  EXPECT_EQ(truth_of("MEDIAN(x)", values), 3);
}

}  // namespace
}  // namespace vernier::audit
