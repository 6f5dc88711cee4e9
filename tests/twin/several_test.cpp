#include "twin/several.hpp"

#include <gtest/gtest.h>

#include "support/recorder.hpp"
#include "twin/difference.hpp"
#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/render/sql.hpp"
#include "vernier/plan/statistic/statistic.hpp"

// The twin run over several protected tables, in all of which the rows of one unit come and go.
namespace vernier::twin {
namespace {

using plan::BoundingForm;
using plan::BoundStatistic;
using plan::Measurement;

constexpr std::size_t plans_in_a_session = 50;

// False from what is done with a plan ends it.
void for_several(std::uint64_t first, std::size_t count,
                 const std::function<bool(SeveralSession&, const SeveralPlan&)>& done) {
  for (std::uint64_t from = first; from < first + count; from += plans_in_a_session) {
    SeveralSession session(from, plans_in_a_session);
    for (const SeveralPlan& plan : session.plans()) {
      if (!done(session, plan)) return;
    }
  }
}

struct Both {
  Result<engine::RawAggregates> first, second;
};

Both run_both(SeveralSession& session, const SeveralPlan& plan, BoundingForm form) {
  return {session.run(render(plan.first, form), plan.secret), session.run(render(plan.second, form), plan.secret)};
}

// The names of norms that are passed and that are reached.
struct Seen {
  std::string passed, reached;
};

Seen seen_in(const SeveralPlan& plan, const engine::RawAggregates& first, const engine::RawAggregates& second) {
  Seen seen;
  for (std::size_t i = 0; i < plan.first.measurements.size(); ++i) {
    const plan::Measured in = plan::measured_at(plan.first, i);
    const Norms found = difference(in, first, second);
    seen.passed += passed(found, in.one.sensitivity);
    if (found.linf > 0) seen.reached += reached(found, in.one.sensitivity);
    EXPECT_TRUE(lies_within(in, first) && lies_within(in, second)) << plan.sql;
  }
  return seen;
}

void expect_equal_forms(SeveralSession& session, const SeveralPlan& plan, const engine::RawAggregates& first) {
  const auto window = session.run(render(plan.first, BoundingForm::window), plan.secret);
  ASSERT_TRUE(window) << plan.sql;
  const auto a = testing::Recorder::sorted(first), b = testing::Recorder::sorted(*window);
  ASSERT_EQ(a.size(), b.size()) << plan.sql;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].tallies, b[i].tallies) << plan.sql;
}

// What kind of rows a statement is about, so that each kind is seen to come near its bounds.
std::string kind_of(const SeveralPlan& plan) {
  std::string kind = own_table(plan.first).via ? "by way" : "own";
  for (const plan::BoundJoin& join : plan.first.joins) {
    kind += join.keeps_all ? " left" : " join";
    if (!join.is_lookup() && join.kind != query::JoinKind::by_unit) kind += " semi";
    if (join.table.via) kind += " by way";
    if (join.table.name == plan.first.table.name) kind += " itself";
  }
  return kind + (plan.first.per_unit ? " per unit" : "");
}

std::map<std::string, int> expect_as_declared(std::uint64_t first, std::size_t count) {
  std::map<std::string, int> reached;
  for_several(first, count, [&](SeveralSession& session, const SeveralPlan& plan) {
    const BoundingForm form = fastest_form(plan.first);
    const Both both = run_both(session, plan, form);
    EXPECT_TRUE(both.first && both.second) << plan.sql;
    if (!both.first || !both.second) return false;
    const Seen seen = seen_in(plan, *both.first, *both.second);
    EXPECT_EQ(seen.passed, "") << plan.sql;
    if (!seen.reached.empty()) ++reached[kind_of(plan)];
    if (form == BoundingForm::bottom_m) expect_equal_forms(session, plan, *both.first);
    return !::testing::Test::HasFailure();
  });
  return reached;
}

constexpr std::size_t plans_in_a_run = 250;

class TwinsOfSeveralTables : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(TwinsOfSeveralTables, MoveNoNumberFurtherThanDeclared) {
  const std::map<std::string, int> reached =
      expect_as_declared(60'000'000 + GetParam() * plans_in_a_run, plans_in_a_run);
  if (GetParam() > 0) return;
  for (const char* const kind : {"by way", "own join", "own left", "own join itself", "own join by way",
                                 "own join semi", "own join semi by way", "own join per unit"}) {
    EXPECT_TRUE(reached.contains(kind)) << kind;
  }
}
INSTANTIATE_TEST_SUITE_P(Slow, TwinsOfSeveralTables, ::testing::Range<std::uint64_t>(0, 4));
INSTANTIATE_TEST_SUITE_P(Heavy, TwinsOfSeveralTables, ::testing::Range<std::uint64_t>(4, 44));

// ---- planted mistakes: each changes what the engine is told

bool replaced(std::string& text, const std::string& old, const std::string& now) {
  bool changed = false;
  for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + now.size())) {
    text.replace(at, old.size(), now);
    changed = true;
  }
  return changed;
}

// Rows meet whatever their units are.
bool without_units(std::string& text) { return replaced(text, "\"id\" = \" right\".\" key 0\"", "TRUE"); }

// Of several owners the least one owns a key, so that another one's coming takes it away.
bool with_least_owner(std::string& text) {
  return replaced(text, "SELECT DISTINCT \"key\" AS \" key\", \"id\" AS \" unit\"",
                  "SELECT \"key\" AS \" key\", min(\"id\") AS \" unit\"") &&
         replaced(text, "\"key\" IS NOT NULL AND \"id\" IS NOT NULL)",
                  "\"key\" IS NOT NULL AND \"id\" IS NOT NULL GROUP BY 1)");
}

// Keys of several owners are nobody's, so that another one's coming takes them away as well.
bool without_shared_keys(std::string& text) {
  return replaced(text, "SELECT DISTINCT \"key\" AS \" key\", \"id\" AS \" unit\"",
                  "SELECT \"key\" AS \" key\", min(\"id\") AS \" unit\"") &&
         replaced(text, "\"key\" IS NOT NULL AND \"id\" IS NOT NULL)",
                  "\"key\" IS NOT NULL AND \"id\" IS NOT NULL GROUP BY 1 HAVING count(DISTINCT \"id\") = 1)");
}

// Rows are added up by a column that says nothing of units, and the least of them gets all.
bool with_rows_of_others(std::string& text) {
  return replaced(text, "(SELECT \"id\" AS \"id\", max(", "(SELECT min(\"id\") AS \"id\", max(") &&
         replaced(text, " GROUP BY 1)", " GROUP BY \"select\")");
}

bool is_found(SeveralSession& session, const SeveralPlan& plan, bool (*mistake)(std::string&)) {
  plan::Sql first = render(plan.first, BoundingForm::window), second = render(plan.second, BoundingForm::window);
  if (!mistake(first.text) || !mistake(second.text)) return false;
  const auto left = session.run(first, plan.secret), right = session.run(second, plan.secret);
  if (!left || !right) return false;
  const auto passes = [&](const Measurement& one) {
    return !passed(difference({plan.first, one, 0}, *left, *right), one.sensitivity).empty();
  };
  return std::any_of(plan.first.measurements.begin(), plan.first.measurements.end(), passes);
}

void expect_found(bool (*mistake)(std::string&)) {
  bool found = false;
  for_several(62'000'000, 1000, [&](SeveralSession& session, const SeveralPlan& plan) {
    found = is_found(session, plan, mistake);
    return !found;
  });
  EXPECT_TRUE(found);
}

TEST(SlowTwinsOfSeveralTables, FindAJoinThatForgetsTheUnits) { expect_found(without_units); }
TEST(SlowTwinsOfSeveralTables, FindAnOwnerWhoTakesRowsOfAnother) { expect_found(with_least_owner); }
TEST(SlowTwinsOfSeveralTables, FindTotalsThatForgetTheUnit) { expect_found(with_rows_of_others); }
TEST(SlowTwinsOfSeveralTables, FindKeysThatASecondOwnerTakesAway) { expect_found(without_shared_keys); }

}  // namespace
}  // namespace vernier::twin
