#include "vernier/audit/laws.hpp"

#include <gtest/gtest.h>

#include "support/simulated_releases.hpp"

namespace vernier::audit {
namespace {

Finding judged(const IntegerLaw& claimed, const IntegerLaw& drawn, std::uint64_t seed) {
  testing::SeededSource source = testing::seeded_source(seed);
  const Timekeeper time(0.001, nobody_watches);
  const Fill fill = [&](std::span<std::int64_t> out) -> Result<void> {
    const std::vector<std::int64_t> draws = draws_of(drawn, out.size(), source);
    std::copy(draws.begin(), draws.end(), out.begin());
    return {};
  };
  return judged_draws("draws", claimed, fill, time, Timekeeper::Clock::now()).value();
}

TEST(AuditLaws, StandWhereTheyAreRight) {
  for (const double scale : {0.3, 1.0, 25.0, 3e4}) {
    EXPECT_EQ(judged(geometric(scale), geometric(scale), 2).verdict, Verdict::stands) << scale;
  }
  for (const double scale : {0.4, 1.0, 40.0, 3e4}) {
    EXPECT_EQ(judged(gaussian(scale), gaussian(scale), 3).verdict, Verdict::stands) << scale;
  }
}

// What a finding says that it would catch it does catch.
TEST(AuditLaws, AreRefutedByTheScaleThatTheySayTheyWouldCatch) {
  for (const double scale : {0.3, 1.0, 25.0}) {
    const double part = least_part_found(geometric(scale), 1 << 18, each_level).value();
    EXPECT_LE(part, 0.05) << scale;
    EXPECT_EQ(judged(geometric(scale), geometric(scale * (1 - part)), 4).verdict, Verdict::refuted) << scale;
  }
  const double part = least_part_found(gaussian(3), 1 << 18, each_level).value();
  EXPECT_LE(part, 0.03);
  EXPECT_EQ(judged(gaussian(3), gaussian(3 * (1 - part)), 5).verdict, Verdict::refuted);
}

TEST(AuditLaws, AreRefutedByAnotherLawOfTheSameVariance) {
  EXPECT_EQ(judged(geometric(10), gaussian(14.14), 6).verdict, Verdict::refuted);
}

TEST(AuditLaws, OfChoicesStand) {
  Result<random::Source> source = random::Source::open();
  const Timekeeper time(0.001, nobody_watches);
  EXPECT_EQ(judged_ends(*source, time, Timekeeper::Clock::now()).value().verdict, Verdict::stands);
  EXPECT_EQ(judged_values(*source, time, Timekeeper::Clock::now()).value().verdict, Verdict::stands);
}

TEST(AuditLaws, AreStoppedByWhoeverWatches) {
  const Timekeeper time(1, [](double) { return false; });
  EXPECT_FALSE(audited_laws(time, 0.1));
}

TEST(AuditEvents, KnowTheChanceThatTwoDrawsAreTheSame) {
  const Bounds chance = chance_of_equality(geometric(1));
  const double q = std::exp(-1.0);  // sum of ((1 - q) / (1 + q) q^|x|)^2
  const double exact = (1 - q) * (1 - q) / ((1 + q) * (1 + q)) * (1 + q * q) / (1 - q * q);
  EXPECT_LE(chance.lower, exact * (1 + 1e-12));
  EXPECT_GE(chance.upper, exact * (1 - 1e-12));
  EXPECT_NEAR(chance.lower, chance.upper, 1e-12);
}

// Nine tails, of chances 0.9 to 0.001, and then runs of integers that cover all of them once.
TEST(AuditEvents, AreTailsAndRuns) {
  const std::vector<Event> events = events_of(geometric(5), {{-30, 3}, {-2, 10}, {0, 20}, {4, 7}, {60, 2}});
  ASSERT_GT(events.size(), 20u);
  EXPECT_EQ(events[0].hits, 22);  // all but 0
  EXPECT_EQ(events[8].hits, 2);   // beyond 34
  EXPECT_NEAR(events[8].chance.upper, 0.001, 2e-4);
  std::int64_t runs = 0;
  double chance = 0;
  for (std::size_t i = 9; i < events.size(); ++i) {
    runs += events[i].hits;
    chance += events[i].chance.upper;
  }
  EXPECT_EQ(runs, 42);
  EXPECT_NEAR(chance, 1, 1e-12);
}

TEST(AuditEvents, SeeWhatCannotHappen) {
  const Masses masses = {{{0}, {0.5, 0.5}}, {{1}, {0.5, 0.5}}};
  EXPECT_GT(surprise(events_of(masses, {{{0}, 50}, {{1}, 50}}), 100), 0.1);
  EXPECT_EQ(surprise(events_of(masses, {{{0}, 50}, {{1}, 49}, {{2}, 1}}), 100), 0);
}

}  // namespace
}  // namespace vernier::audit
