#include "vernier/release/release.hpp"

#include <set>

#include <gtest/gtest.h>

#include "support/ledgers.hpp"
#include "support/release_plans.hpp"
#include "support/seeded_release.hpp"
#include "support/temporary_folder.hpp"

namespace vernier::release {
namespace {

using testing::by_private_region;
using testing::by_region;
using testing::no_noise;
using testing::RawGroup;
using testing::release_plan;
using testing::ToldSession;

ledger::Terms terms() { return {ledger::Accountant::approximate, test::decimal("10"), test::decimal("1e-6")}; }

// Units, rows, debt, values of educ, their sum over 1.
const std::vector<RawGroup> two_regions{{1, {}, {8, 9, -40, 9, 27}}, {0, {}, {3, 3, 25, 2, 30}}};

RawGroup found(const char* region, std::vector<std::int64_t> tallies) {
  return {0, {query::Value(region)}, std::move(tallies)};
}
const std::vector<RawGroup> four_regions{found("west", {40, 40, 1, 40, 80}), found("east", {10, 10, 2, 10, 10}),
                                         found("north", {9, 9, 3, 9, 9}), found("a", {1, 1, 4, 1, 0})};

class Release : public ::testing::Test {
 protected:
  Result<release::Release> run(const plan::Plan& plan, engine::Session& session, Progress progress = nobody_watches) {
    return release::run(plan, session, *ledger_, source_, {"a study", "catalog hash", std::move(progress)});
  }
  Result<release::Release> run_seeded(const plan::Plan& plan, std::vector<RawGroup> groups) {
    ToldSession session({std::move(groups)});
    return run_with(plan, session, *ledger_, seeded_, {"a study", "catalog hash"});
  }
  Table table(const plan::Plan& plan, std::vector<RawGroup> groups) {
    ToldSession session({std::move(groups)});
    const Result<release::Release> released = run(plan, session);
    EXPECT_TRUE(released) << released.error().sentence();
    return released ? released->tables.front() : Table{};
  }
  // As another process sees it.
  std::int64_t entries() const { return testing::ledger_at(path(), terms())->book().position().index; }
  numeric::Rational spent() const { return testing::spent_epsilon(*testing::ledger_at(path(), terms())); }

  ledger::Ledger& ledger() { return *ledger_; }

 private:
  std::filesystem::path path() const { return folder_.path() / "a.ledger"; }
  testing::TemporaryFolder folder_;
  std::unique_ptr<ledger::Ledger> ledger_ = testing::ledger_at(path(), terms());
  random::Source source_ = *random::Source::open();
  testing::SeededSource seeded_ = testing::seeded_source(1);
};

std::vector<std::string> first_keys(const Table& table) {
  std::vector<std::string> keys;
  for (const Row& row : table.rows) keys.push_back(text_of(row.keys.front()));
  return keys;
}

std::vector<double> values(const Row& row) {
  std::vector<double> all;
  for (const Number& number : row.numbers) all.push_back(number.value);
  return all;
}

using Names = std::vector<std::string>;

// ---- numbers

TEST_F(Release, IsExactWithoutNoise) {
  const Table published = table(release_plan({by_region()}, no_noise()), two_regions);
  ASSERT_EQ(first_keys(published), (Names{"south", "north", "east"}));
  EXPECT_EQ(values(published.rows[0])[0], 3);
  EXPECT_EQ(values(published.rows[0])[1], 25);
  EXPECT_NEAR(values(published.rows[0])[2], 16, 1e-6);  // both values are at the upper bound
  EXPECT_EQ(values(published.rows[1])[0], 9);
  EXPECT_EQ(values(published.rows[1])[1], -40);
  EXPECT_NEAR(values(published.rows[1])[2], 4, 1e-6);
  for (const Row& row : published.rows) {
    for (const Number& number : row.numbers) EXPECT_TRUE(number.interval.contains(number.value));
  }
}

TEST_F(Release, SaysWhatEachNumberIs) {
  const Row row = table(release_plan({by_region()}, testing::geometric(2)), two_regions).rows[1];
  EXPECT_TRUE(row.numbers[0].is_whole);
  EXPECT_TRUE(row.numbers[1].is_whole);
  EXPECT_FALSE(row.numbers[2].is_whole);
  EXPECT_EQ(row.numbers[0].accuracy, 6);  // the least a with P[abs(noise) > a] <= 0.05
  for (const Number& number : row.numbers) EXPECT_EQ(number.coverage, interval::Status::proven);
}

TEST_F(Release, PublishesDeclaredGroupsThatHaveNoRows) {
  const Table published = table(release_plan({by_region()}, no_noise()), {});
  ASSERT_EQ(first_keys(published), (Names{"south", "north", "east"}));
  for (const Row& row : published.rows) {
    EXPECT_EQ(row.numbers[0].value, 0);
    EXPECT_FALSE(row.numbers[2].informative);
    EXPECT_TRUE(row.numbers[2].may_be_empty);
    EXPECT_EQ(row.numbers[2].interval.low, 1);
    EXPECT_EQ(row.numbers[2].interval.high, 16);
  }
}

TEST_F(Release, NeverPublishesWhatIsNotPossible) {
  const plan::Plan plan = release_plan({by_region()}, testing::discrete_gaussian(30));
  for (int i = 0; i < 30; ++i) {
    const Result<release::Release> released = run_seeded(plan, {});
    if (!released) break;  // the budget is spent
    for (const Row& row : released->tables.front().rows) {
      EXPECT_GE(row.numbers[0].value, 0);
      EXPECT_GE(row.numbers[0].interval.low, 0);
      EXPECT_GE(row.numbers[2].value, 1);
      EXPECT_LE(row.numbers[2].value, 16);
    }
  }
}

// What an engine brings beyond the catalog's bounds is moved to them before noise is added.
TEST_F(Release, ClampsIntegersToTheirBounds) {
  const auto far = std::int64_t{1} << 62;
  const plan::BoundStatistic statistic = by_region();
  const auto exact = ExactNumbers::of(statistic, engine::RawAggregates({{0, {}, {far, far, -far, far, -far}}})).value();
  EXPECT_EQ(exact.of_measurement(0)[0], 1'000'000);
  EXPECT_EQ(exact.of_measurement(1)[0], -50'000'000);
  EXPECT_EQ(exact.of_measurement(2)[0], 15'000'000);
  EXPECT_EQ(exact.of_measurement(2)[1], 0);
}

TEST_F(Release, ScalesSumsByTheirGrid) {
  plan::BoundStatistic statistic = by_region();
  statistic.measurements[1].granularity = 0.25;
  const Row row = table(release_plan({statistic}, no_noise()), two_regions).rows[1];
  EXPECT_EQ(row.numbers[1].value, -10);
  EXPECT_FALSE(row.numbers[1].is_whole);
}

// ---- order

TEST_F(Release, DoesNotDependOnTheOrderOfTheEngine) {
  std::vector<RawGroup> other(two_regions.rbegin(), two_regions.rend());
  const Table published = table(release_plan({by_region()}, no_noise()), other);
  EXPECT_EQ(first_keys(published), (Names{"south", "north", "east"}));
  EXPECT_EQ(values(published.rows[1])[0], 9);

  const plan::Plan with_private_keys = release_plan({by_private_region()}, no_noise(), 9);
  std::vector<RawGroup> turned(four_regions.rbegin(), four_regions.rend());
  for (const auto& groups : {four_regions, turned}) {
    const Table sorted = table(with_private_keys, groups);
    ASSERT_EQ(first_keys(sorted), (Names{"east", "north", "west"}));
    EXPECT_EQ(sorted.rows[2].numbers[0].value, 40);
  }
}

TEST_F(Release, FollowsTheOrderOfTheStatement) {
  for (const auto& [descending, names] :
       {std::pair{false, Names{"east", "north", "south"}}, std::pair{true, Names{"south", "north", "east"}}}) {
    plan::BoundStatistic statistic = by_region();
    statistic.query.order = {{0, descending}};
    EXPECT_EQ(first_keys(table(release_plan({statistic}, no_noise()), two_regions)), names);
  }
  plan::BoundStatistic statistic = by_private_region();
  statistic.query.order = {{0, true}};
  EXPECT_EQ(first_keys(table(release_plan({statistic}, no_noise(), 9), four_regions)),
            (Names{"west", "north", "east"}));
}

// ---- private keys

TEST_F(Release, PublishesPrivateKeysFromTheThresholdOn) {
  const auto published = [&](std::int64_t threshold) {
    return first_keys(table(release_plan({by_private_region()}, no_noise(), threshold), four_regions));
  };
  EXPECT_EQ(published(9), (Names{"east", "north", "west"}));
  EXPECT_EQ(published(10), (Names{"east", "west"}));
  EXPECT_EQ(published(41), Names{});
}

TEST_F(Release, LeavesOutAKeyThatNoUnitHas) {
  const std::vector<RawGroup> groups{found("ghost", {0, 0, 0, 0, 0}), found("west", {40, 40, 1, 40, 80})};
  EXPECT_EQ(first_keys(table(release_plan({by_private_region()}, no_noise(), 1), groups)), Names{"west"});
}

// The additive interval of the same number would be within 9 of it, and far from a group that was lucky.
TEST_F(Release, StatesTheIntervalOfASelectedCountGivenThatItWasPublished) {
  const plan::Plan plan = release_plan({by_private_region()}, testing::geometric(3), 40);
  int published = 0;
  for (int i = 0; i < 9; ++i) {
    const Table table = run_seeded(plan, {found("west", {39, 39, 1, 39, 80})})->tables.front();
    published += static_cast<int>(table.rows.size());
    for (const Row& row : table.rows) EXPECT_EQ(row.numbers[0].interval.low, 1);
  }
  EXPECT_GT(published, 0);
}

TEST_F(Release, RefusesPrivateKeysWithoutARule) {
  plan::Plan plan = release_plan({by_private_region()}, no_noise());
  plan.statistics.front().keys.reset();
  ToldSession session({four_regions});
  EXPECT_FALSE(run(plan, session));
  EXPECT_TRUE(session.statements.empty());
  EXPECT_EQ(spent(), numeric::Rational::of(0));
}

// ---- budget

TEST_F(Release, ReservesBeforeAnythingRuns) {
  const std::int64_t before = entries();
  std::vector<std::int64_t> sizes;
  ToldSession session({two_regions});
  session.before_answer = [&] { sizes.push_back(entries()); };
  const Result<release::Release> released = run(release_plan({by_region(), by_region()}, no_noise()), session);
  ASSERT_TRUE(released);
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_GT(sizes[0], before);
  EXPECT_EQ(sizes[1], sizes[0]);
  EXPECT_EQ(spent(), numeric::Rational::of(1));
  EXPECT_EQ(released->receipt.index, 2);  // behind the terms
  EXPECT_EQ(released->tables.size(), 2U);
  EXPECT_EQ(released->engine, "Told 1");
  EXPECT_EQ(released->catalog_hash, "catalog hash");
}

TEST_F(Release, LeavesTheBudgetSpentAndTheEnginesWordsUnsaidAfterAFailure) {
  ToldSession session({two_regions});
  session.failure = "could not convert 'Ms Secret' to INT32";
  const Result<release::Release> released = run(release_plan({by_region()}, no_noise()), session);
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().sentence(), engine::run_failed);
  EXPECT_EQ(spent(), numeric::Rational::of(1));
}

TEST_F(Release, LeavesTheBudgetSpentWhenItIsStopped) {
  ToldSession session({two_regions});
  std::vector<double> seen;
  const Result<release::Release> released =
      run(release_plan({by_region(), by_region()}, no_noise()), session, [&](double done) {
        seen.push_back(done);
        return seen.size() < 2;
      });
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().sentence(), engine::run_stopped);
  EXPECT_EQ(seen, (std::vector{0.25, 0.75}));
  EXPECT_EQ(spent(), numeric::Rational::of(1));
}

TEST_F(Release, RunsNothingThatTheLedgerRefuses) {
  plan::Plan plan = release_plan({by_region()}, no_noise());
  plan.epsilon = 11;
  ToldSession session({two_regions});
  const Result<release::Release> released = run(plan, session);
  ASSERT_FALSE(released);
  EXPECT_EQ(released.error().kind, ErrorKind::exhausted);
  EXPECT_TRUE(session.statements.empty());
}

// Whatever the engine brings beside what was asked is one constant sentence.
TEST_F(Release, RefusesWhatWasNotAsked) {
  const std::vector<std::vector<RawGroup>> wrong{{{3, {}, {1, 1, 1, 1, 1}}},
                                                 {{-1, {}, {1, 1, 1, 1, 1}}},
                                                 {{0, {}, {1, 1}}},
                                                 {{0, {}, {1, 1, 1, 1, 1}}, {0, {}, {1, 1, 1, 1, 1}}}};
  for (const auto& groups : wrong) {
    ToldSession session({groups});
    const Result<release::Release> released = run(release_plan({by_region()}, no_noise()), session);
    ASSERT_FALSE(released);
    EXPECT_EQ(released.error().sentence(), engine::run_failed);
  }
  ToldSession session({{{0, {}, {1, 1, 1, 1, 1}}}});  // without its key
  EXPECT_FALSE(run(release_plan({by_private_region()}, no_noise()), session));
}

// ---- randomness

TEST_F(Release, HasAnIdAndSecretsOfItsOwn) {
  std::set<std::string> ids;
  std::set<std::int64_t> secrets;
  for (int i = 0; i < 4; ++i) {
    ToldSession session({two_regions});
    ids.insert(run(release_plan({by_region(), by_region()}, no_noise()), session)->id);
    for (const engine::Secret& secret : session.secrets) secrets.insert(secret.begin(), secret.end());
  }
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(ids.begin()->size(), 32U);
  EXPECT_EQ(secrets.size(), 16U);
}

}  // namespace
}  // namespace vernier::release
