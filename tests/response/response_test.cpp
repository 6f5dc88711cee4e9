#include "response/response.hpp"

#include <map>

#include <gtest/gtest.h>

#include "support/ledgers.hpp"
#include "support/temporary_folder.hpp"
#include "twin/twin_session.hpp"
#include "vernier/numeric/rational.hpp"

// Twin responses: on neighbouring tables the same bytes, order, keys, status and price, once noise is masked, whatever
// the source. Private keys may differ by the delta that is charged for them, which is so small here that no table of
// these has one that is published; what is published of many units is directed_test.cpp's.
namespace vernier::response {
namespace {

using numeric::Rational;
using twin::TwinPlan;
using twin::TwinSession;

// One table of a pair behind the interface of an engine.
class OneOfTwins : public engine::Session {
 public:
  OneOfTwins(TwinSession& session, const plan::BoundStatistic& statistic) : session_(session), statistic_(statistic) {}

  plan::BoundingForm form(const plan::BoundStatistic& statistic) const override { return fastest_form(statistic); }
  std::string version() const override { return "DuckDB"; }
  Result<engine::RawAggregates> run(const plan::Sql&, const engine::Secret& secret, const Progress&) override {
    return session_.run(plan::render(statistic_, form(statistic_)), secret);
  }

 private:
  TwinSession& session_;
  const plan::BoundStatistic& statistic_;
};

// Epsilon 0.05 and delta 1e-12 put the threshold of private keys more than 500 units high, where groups have 40 at
// most: one of them is published with a probability below 1e-11, and any of 500 pairs of tables with less than 1e-6.
query::StudyBudget budget_of(const TwinPlan& plan, std::size_t number) {
  const auto decimal = [](const char* text) { return Rational::of_decimal(text).value(); };
  if (plan.first.keys.are_public && number % 2 == 0) return {Rational::of(1), Rational::of(0)};
  return {decimal("0.05"), decimal("1e-12")};
}

study::Study asked_of(const TwinPlan& plan, const query::StudyBudget& budget) {
  const query::Statistic statistic{
      .name = "s", .sql = plan.sql, .accuracy = {}, .weight = Rational::of(1), .place = {}, .sql_place = {}};
  const Rational alpha = Rational::of_decimal("0.05").value();
  query::Catalog catalog = plan.catalog;
  catalog.budget.delta = Rational::of_decimal("1e-6").value();
  return {"study",
          {"study.toml", "catalog.toml", alpha, budget, {statistic}},
          {catalog, *Alpha::of(0.05), budget, plan.first.table.neighbours, {plan.first}}};
}

std::unique_ptr<ledger::Ledger> fresh_ledger(const testing::TemporaryFolder& folder, const std::string& name) {
  const ledger::Terms terms{ledger::Accountant::approximate, Rational::of(10'000),
                            Rational::of_decimal("1e-3").value()};
  return testing::ledger_at(folder.path() / name, terms);
}

void expect_same_responses(std::uint64_t first, std::size_t wanted) {
  const testing::TemporaryFolder folder;
  std::size_t pairs = 0, published = 0, private_keys = 0;
  std::map<std::pair<query::SourceKind, bool>, int> sources;
  const auto left = fresh_ledger(folder, "left"), right = fresh_ledger(folder, "right");
  twin::for_plans(first, 4 * wanted, [&](TwinSession& session, const TwinPlan& twins) {
    const study::Study asked = asked_of(twins, budget_of(twins, pairs));
    const Result<plan::Plan> plan = plan::allocate(asked.bound);
    if (!plan) return true;
    OneOfTwins a(session, twins.first), b(session, twins.second);
    const Response here = response_of(asked, *plan, a, *left), there = response_of(asked, *plan, b, *right);
    EXPECT_EQ(here, there) << twins.sql << "\n" << text_of(here) << "\n" << text_of(there);
    published += here.status == "published" ? 1 : 0;
    private_keys += twins.first.keys.are_public ? 0 : 1;
    ++sources[{twins.table().source.kind, twins.table().source.quoted}];
    return ++pairs < wanted && !::testing::Test::HasFailure();
  });
  EXPECT_EQ(pairs, wanted);
  EXPECT_EQ(published, pairs);
  EXPECT_GE(private_keys, wanted / 20);
  EXPECT_EQ(sources.size(), 6U) << "CSV, Parquet and rows in memory; with and without quotes, where there are any";
}

// In parts of 500 pairs that run side by side: a thousand always, ten thousand with the heavy tests.
class Responses : public ::testing::TestWithParam<std::uint64_t> {};
TEST_P(Responses, AreTheSameOnNeighbouringTables) { expect_same_responses(5'000'000 + 10'000 * GetParam(), 500); }
INSTANTIATE_TEST_SUITE_P(Slow, Responses, ::testing::Range<std::uint64_t>(0, 2));
INSTANTIATE_TEST_SUITE_P(Heavy, Responses, ::testing::Range<std::uint64_t>(2, 22));

}  // namespace
}  // namespace vernier::response
