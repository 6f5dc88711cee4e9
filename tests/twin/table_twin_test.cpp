#include <functional>

#include <gtest/gtest.h>

#include "support/moved_contrasts.hpp"
#include "twin/twin_session.hpp"
#include "vernier/table/design.hpp"

// The twin run of tables that add up: the contrasts of neighbouring tables, from random columns, expressions, rests and
// files, are apart by exactly the list of moves that is charged, or not at all.
namespace vernier::twin {
namespace {

using plan::BoundStatistic;
using testing::Moves;

constexpr std::size_t plans_in_a_run = 300;

// What is counted may be changed before it is rendered.
using Change = std::function<void(BoundStatistic&)>;

Moves moves_of(TwinSession& session, const TwinPlan& plan, const Change& change) {
  std::vector<table::Exact> both;
  for (BoundStatistic one : {plan.first, plan.second}) {
    change(one);
    Result<engine::RawAggregates> raw = session.run(render(one, fastest_form(one)), plan.secret);
    EXPECT_TRUE(raw) << plan.sql;
    if (!raw) return {};
    both.push_back(testing::contrasts_of(*plan.tables, *std::move(raw)));
  }
  return testing::found_moves(testing::distinct_laws(*plan.tables->lattice), both[0], both[1]);
}

struct Seen {
  int unmoved = 0, as_charged = 0, otherwise = 0;
  int replaced = 0, at_the_bound = 0;  // rows that became others, and as far apart as is charged
  int of_several = 0, as_several = 0;  // units of which several rows count, and moved as far as equal ones
};

double rho_of(const Moves& moves) {
  double rho = 0;
  for (const auto& [moved, times] : moves) {
    const double parts = static_cast<double>(moved.second) / moved.first;
    rho += static_cast<double>(times) * parts * parts / 2;
  }
  return rho;
}

// What is charged is one number for all that rows can become.
void see_replaced(Seen& seen, const TwinPlan& plan, const Moves& found, bool is_right) {
  const table::Lattice& lattice = *plan.tables->lattice;
  const double charged = table::rho_of_replacing(lattice, testing::distinct_laws(lattice)), rho = rho_of(found);
  ++seen.replaced;
  if (rho > charged) ++seen.otherwise;
  if (rho > 0.999 * charged) ++seen.at_the_bound;
  if (is_right) EXPECT_LE(rho, charged) << plan.table().name << ": " << plan.sql;
}

// The rows of a unit move at most as far as so many equal ones.
void see_several(Seen& seen, const TwinPlan& plan, const Moves& found, bool is_right) {
  const table::Lattice& lattice = *plan.tables->lattice;
  const table::Laws laws = testing::distinct_laws(lattice);
  const auto rows = static_cast<double>(plan.tables->counted.contribution.max_rows);
  const double of_one = plan.table().neighbours == privacy::Neighbours::replace
                            ? table::rho_of_replacing(lattice, laws)
                            : table::cost_of(lattice, table::squares_of(lattice, laws)) / 2;
  const double charged = rows * rows * of_one * (1 + 1e-9), rho = rho_of(found);
  ++seen.of_several;
  if (rho > charged) ++seen.otherwise;
  if (rho > 0.999 * charged) ++seen.as_several;
  if (is_right) EXPECT_LE(rho, charged) << plan.table().name << ": " << plan.sql;
}

Seen seen_in(std::uint64_t first, std::size_t plans, const Change& change, bool is_right) {
  Seen seen;
  for_plans(first, plans, [&](TwinSession& session, const TwinPlan& plan) {
    const Moves found = moves_of(session, plan, change);
    if (plan.tables->counted.contribution.max_rows > 1) {
      see_several(seen, plan, found, is_right);
      return !::testing::Test::HasFailure();
    }
    if (plan.table().neighbours == privacy::Neighbours::replace) {
      see_replaced(seen, plan, found, is_right);
      return !::testing::Test::HasFailure();
    }
    const Moves charged = testing::charged_moves(*plan.tables->lattice, testing::distinct_laws(*plan.tables->lattice));
    ++(found.empty() ? seen.unmoved : found == charged ? seen.as_charged : seen.otherwise);
    if (is_right) EXPECT_TRUE(found.empty() || found == charged) << plan.table().name << ": " << plan.sql;
    return !::testing::Test::HasFailure();
  });
  return seen;
}

void nothing(BoundStatistic&) {}

TEST(SlowTwinsOfTables, MoveContrastsAsIsChargedOrNotAtAll) {
  const Seen seen = seen_in(first_tables, plans_in_a_run, nothing, true);
  EXPECT_GT(seen.as_charged, 50);
  EXPECT_GT(seen.unmoved, 5);
  EXPECT_EQ(seen.otherwise, 0);
  EXPECT_GT(seen.replaced, 20);
  EXPECT_GT(seen.at_the_bound, 0);
  EXPECT_GT(seen.of_several, 20);
  EXPECT_GT(seen.as_several, 0);
}

TEST(SlowTwinsOfTables, FindWhereOneRowMoreCountsThanIsCharged) {
  const Seen seen = seen_in(
      first_tables, plans_in_a_run / 3,
      [](BoundStatistic& one) { one.contribution.max_rows += one.contribution.max_rows > 1 ? 1 : 0; }, false);
  EXPECT_GT(seen.otherwise, 0);
}

// Both ways of counting more than one row of a unit are seen.
TEST(SlowTwinsOfTables, FindWhereMoreThanOneRowOfAUnitCounts) {
  const auto seen = [](plan::Contribution unit) {
    return seen_in(
        first_tables, plans_in_a_run, [=](BoundStatistic& one) { one.contribution = unit; }, false);
  };
  EXPECT_GT(seen({2, 1}).otherwise, 0);
  EXPECT_GT(seen({1, 2}).otherwise, 0);
}

TEST(HeavyTwinsOfTables, MoveContrastsAsIsChargedOrNotAtAll) {
  const Seen seen = seen_in(first_tables + plans_in_a_run, 5000, nothing, true);
  EXPECT_EQ(seen.otherwise, 0);
}

}  // namespace
}  // namespace vernier::twin
