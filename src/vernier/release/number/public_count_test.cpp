#include "vernier/plan/statistic/public_count.hpp"

#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/public_count_releases.hpp"
#include "support/seeded_release.hpp"
#include "support/signed_releases.hpp"
#include "vernier/plan/statistic/statistic.hpp"
#include "vernier/release/number/public_count.hpp"
#include "vernier/release/verify/verify.hpp"

// Means that rest on the public number of rows, from the release to whoever checks it.
namespace vernier::release {
namespace {

using plan::BoundStatistic;
using privacy::Neighbours;
using testing::Json;
using testing::problem_of;
using testing::RawGroup;
using testing::ReleaseTerms;

constexpr std::int64_t rows = 400;
constexpr std::int64_t above_one = 2900;  // the sum of educ - 1

// All rows at 8.25, or as near to it as squares can be.
std::vector<RawGroup> answer(const BoundStatistic& statistic) {
  const plan::Measurement& one = statistic.measurements[0];
  if (one.kind == plan::Mean::public_kind) return {{0, {}, {rows, above_one}}};
  const std::int64_t weight = one.steps * one.fineness;
  return {{0, {}, {rows, rows * weight / 3, rows * weight / 4}}};
}

ReleaseTerms terms(std::uint64_t seed = 1) {
  return {.study = {.epsilon = "1", .neighbours = Neighbours::replace}, .seed = seed};
}

Release released(const query::Inference& inference = {}, std::uint64_t seed = 1) {
  return testing::released({testing::mean_of_all(inference)}, terms(seed), answer);
}

const query::Inference population{.of_population = true};
const query::Inference guaranteed{.of_population = true, .is_guaranteed = true};

Json record_of(const Release& release) { return Json::parse(testing::record_of(release)); }

TEST(PublicCountRelease, HoldsAndSaysWhatIsPublic) {
  for (const query::Inference& inference : {query::Inference{}, population, guaranteed}) {
    const Json record = record_of(released(inference));
    EXPECT_EQ(problem_of(record), "");
    EXPECT_EQ(record["certificate"]["statistics"][0]["public_count"], rows);
    EXPECT_EQ(record["statistics"][0]["releases"][0]["public_count"], true);
    EXPECT_NE(record["assumptions"].dump().find("The number of rows of the table 'people', 400, is public"),
              std::string::npos);
  }
}

TEST(PublicCountRelease, SaysNothingOfItElsewhere) {
  const Json record = record_of(testing::released({testing::by_region()}, {}));
  EXPECT_FALSE(record["certificate"]["statistics"][0].contains("public_count"));
  EXPECT_FALSE(record["statistics"][0]["releases"][0].contains("public_count"));
  EXPECT_EQ(record["assumptions"].dump().find("is public:"), std::string::npos);
}

// Of 60 draws the chance that a noisy sum is exact all the time is nothing; the number of rows is always.
TEST(PublicCountRelease, PutsNoiseOnSumsAlone) {
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const query::Inference& inference : {query::Inference{}, population}) {
      const std::vector<std::int64_t> noisy = released(inference, seed).tables[0].rows[0].noisy;
      ASSERT_EQ(noisy.size(), inference.of_population ? 4U : 2U);
      EXPECT_EQ(noisy[0], rows);
      for (std::size_t i = 1; i < noisy.size(); ++i) {
        const auto exact = answer(testing::mean_of_all(inference))[0].tallies;
        changed += i != 2 && noisy[i] != exact[i == 3 ? 2 : i] ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changed, 50);
}

TEST(PublicCountRelease, IsTheSumOverTheRows) {
  const Release one = released();
  const Number& number = one.tables[0].rows[0].numbers[0];
  const auto sum = static_cast<double>(one.tables[0].rows[0].noisy[1]);
  const auto accuracy = static_cast<double>(one.plan.statistics[0].noise[0].accuracy_steps);
  EXPECT_NEAR(number.value, 1 + sum / rows, 1e-12);
  EXPECT_NEAR(number.interval.low, 1 + (sum - accuracy) / rows, 1e-12);
  EXPECT_NEAR(number.interval.high, 1 + (sum + accuracy) / rows, 1e-12);
  EXPECT_LE(number.interval.low, 1 + (sum - accuracy) / rows);
  EXPECT_GE(number.interval.high, 1 + (sum + accuracy) / rows);
  EXPECT_FALSE(number.may_be_empty);
}

// 0.05 of 300 are 15; more than 36 come up once in 2e6.
TEST(PublicCountRelease, Covers) {
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const interval::Interval found = released({}, seed).tables[0].rows[0].numbers[0].interval;
    missed += found.contains(1 + static_cast<double>(above_one) / rows) ? 0 : 1;
  }
  EXPECT_LE(missed, 36);
  EXPECT_GE(missed, 1);
}

TEST(PublicCountRelease, OfNoRowsSaysNothing) {
  for (const query::Inference& inference : {query::Inference{}, population, guaranteed}) {
    const auto nobody = [](const BoundStatistic& one) {
      return std::vector<RawGroup>{{0, {}, std::vector<std::int64_t>(one.tallies.size(), 0)}};
    };
    const Release one = testing::released({testing::mean_of_all(inference)}, terms(), nobody);
    const Number& number = one.tables[0].rows[0].numbers[0];
    EXPECT_EQ(number.interval.low, 1);
    EXPECT_EQ(number.interval.high, 16);
    EXPECT_TRUE(number.may_be_empty);
    EXPECT_FALSE(number.informative);
    EXPECT_EQ(problem_of(record_of(one)), "");
  }
}

// What is public may be told; a sum that was cut at the limit would not be that of the rows.
TEST(PublicCountRelease, IsRefusedBeyondTheRowLimit) {
  const BoundStatistic statistic = testing::mean_of_all();
  const plan::Plan plan = plan::allocate(test::bound_study({statistic}, terms().study)).value();
  testing::ToldSession session({{{0, {}, {1'000'001, 5}}}});
  testing::SeededSource source = testing::seeded_source(1);
  const auto prepared = prepare(plan, session).value();
  const auto tables = detail::tables_of(prepared, session, source, nobody_watches);
  ASSERT_FALSE(tables);
  EXPECT_EQ(tables.error().sentence(),
            "the table 'people' has more rows, a number that is public, than its row_limit of 1000000; raise it in the "
            "catalog");
}

// Whoever makes a plan by another way is not believed.
TEST(PublicCountRelease, IsNotPreparedWhereTheNumberIsNotPublic) {
  const auto is_prepared = [](const auto& change) {
    plan::Plan plan = plan::allocate(test::bound_study({testing::mean_of_all()}, terms().study)).value();
    change(plan.study.statistics[0]);
    testing::ToldSession session({});
    return prepare(plan, session).has_value();
  };
  EXPECT_TRUE(is_prepared([](BoundStatistic&) {}));
  EXPECT_FALSE(is_prepared([](BoundStatistic& one) { one.table.neighbours = Neighbours::add_remove; }));
  EXPECT_FALSE(is_prepared([](BoundStatistic& one) { one.table.unit = "region"; }));
  EXPECT_FALSE(is_prepared([](BoundStatistic& one) { one.table.public_count = false; }));
  EXPECT_FALSE(is_prepared([](BoundStatistic& one) { one.query.filter = query::literal(query::Value(true)); }));
  EXPECT_FALSE(is_prepared([](BoundStatistic& one) {
    one.query.keys = {{query::column(one.table.columns[0]), "region"}};
  }));
}

// Of the middle node sum, which moves no imbalance, one step is less than the ends of the interval show.
TEST(PublicCountRelease, RefusesEveryChangedFigure) {
  int refused = 0;
  for (const query::Inference& inference : {query::Inference{}, population}) {
    const Json record = record_of(released(inference));
    refused += testing::expect_changes_refused(
        record, {.parts = {"public_count", "/noisy/", "/measurements/", "/rows/0/", "/releases/", "/assumptions/"},
                 .but = "/noisy/0/2"});
  }
  EXPECT_GT(refused, 60);
}

TEST(PublicCountRelease, RefusesAnotherMiddleNodeSum) {
  Json record = record_of(released(population));
  Json& middle = record["certificate"]["statistics"][0]["noisy"][0][2];
  middle = middle.get<std::int64_t>() * 2;
  EXPECT_NE(problem_of(record), "");
}

TEST(PublicCountRelease, RefusesAPublicNumberUnderAddRemove) {
  Json record = record_of(released());
  record["neighbours"] = "add-remove";
  EXPECT_NE(problem_of(record).find("public_count 400 should be left out, since only under replace"), std::string::npos)
      << problem_of(record);
}

}  // namespace
}  // namespace vernier::release
