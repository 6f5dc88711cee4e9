#include <gtest/gtest.h>

#include "chi_square.hpp"
#include "release/law/drawn_numbers.hpp"
#include "support/released_tables.hpp"
#include "support/seeded_release.hpp"

// The noise of tables: every cell of every contrast has a draw of its own, of the law that the plan states, whatever is
// counted. The same statistics refute 0.9 and 1.1 times the scale, no noise, and a draw that is shared.
namespace vernier::release {
namespace {

using testing::Drawn;
using testing::raw_cell;
using testing::RawGroup;

constexpr int releases = 40'000;

const std::vector<RawGroup> some_rows = {raw_cell({0, 0}, 700), raw_cell({0, 2}, 3), raw_cell({1, 1}, 55),
                                         raw_cell({2, 1}, 1)};

const plan::Plan& tables_plan() {
  static const plan::Plan made = testing::plan_of_tables(testing::bound_tables({3, 3}, 2), "2");
  return made;
}

// What the contrasts of these rows are without noise.
table::Exact exact_contrasts(const plan::BoundTables& tables) {
  return table::contrasts_of(*tables.lattice, counted_rows(tables, engine::RawAggregates(some_rows)).value());
}

// The noise of every cell, release by release, as releases have it.
std::vector<std::vector<std::int64_t>> noise_of_cells(const plan::Plan& plan, std::uint64_t seed) {
  testing::ToldSession session({some_rows});
  const std::vector<PreparedTables> prepared = prepare_tables(plan, session).value();
  const table::Exact exact = exact_contrasts(plan.study.tables[0]);
  testing::SeededSource source = testing::seeded_source(seed);
  std::vector<std::vector<std::int64_t>> noise;
  for (int i = 0; i < releases; ++i) {
    const auto released = detail::released_of({}, prepared, session, source, nobody_watches).value();
    std::size_t cell = 0;
    for (std::size_t set = 0; set < exact.size(); ++set) {
      for (std::size_t j = 0; j < exact[set].size(); ++j, ++cell) {
        if (noise.size() <= cell) noise.emplace_back();
        const auto with = static_cast<std::uint64_t>(released.contrasts[0][set][j]);
        noise[cell].push_back(static_cast<std::int64_t>(with - exact[set][j]));
      }
    }
  }
  return noise;
}

// One for every cell, with the law that the plan has for its contrast.
std::vector<Drawn> drawn_cells(const plan::Plan& plan, const std::vector<std::vector<std::int64_t>>& noise) {
  const table::Lattice& lattice = *plan.study.tables[0].lattice;
  std::vector<Drawn> drawn;
  for (std::size_t set = 0; set < lattice.residuals().size(); ++set) {
    for (std::int64_t j = 0; j < lattice.cells(lattice.residuals()[set]); ++j) {
      const std::string name = "contrast " + std::to_string(set) + ", cell " + std::to_string(j);
      drawn.push_back(testing::additive_drawn(name, plan.tables[0].laws[set], noise[drawn.size()]));
    }
  }
  return drawn;
}

TEST(SlowLawOfTables, IsThatOfThePlanForEveryCellOfEveryContrast) {
  const plan::Plan& plan = tables_plan();
  const std::vector<Drawn> cells = drawn_cells(plan, noise_of_cells(plan, 1));
  ASSERT_EQ(cells.size(), 1U + 3 + 3 + 9);
  for (const Drawn& one : cells) {
    EXPECT_EQ(testing::chi_square_objection(one.cells, one.planned), "") << one.name;
    EXPECT_NE(testing::chi_square_objection(one.cells, one.smaller), "") << one.name << ": 0.9 is not refuted";
    EXPECT_NE(testing::chi_square_objection(one.cells, one.larger), "") << one.name << ": 1.1 is not refuted";
  }
}

TEST(SlowLawOfTables, GivesEveryCellOfEveryReleaseADrawOfItsOwn) {
  const plan::Plan& plan = tables_plan();
  const std::vector<Drawn> cells = drawn_cells(plan, noise_of_cells(plan, 2));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Drawn& one = cells[i];
    const auto first = testing::every_second(one.cells, 0), second = testing::every_second(one.cells, 1);
    EXPECT_EQ(testing::dependence_objection(first, one.planned, second, one.planned), "") << one.name;
    EXPECT_NE(testing::dependence_objection(one.cells, one.planned, one.cells, one.planned), "") << one.name;
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_EQ(testing::dependence_objection(one.cells, one.planned, cells[j].cells, cells[j].planned), "")
          << one.name << " and " << cells[j].name;
    }
  }
}

// The laws themselves are those that the plan was priced with: no two contrasts of other sizes have one scale here.
TEST(LawOfTables, IsNotTheSameForContrastsOfDifferentSizes) {
  const table::Laws& laws = tables_plan().tables[0].laws;
  ASSERT_EQ(laws.size(), 4U);
  EXPECT_EQ(laws[1].scale(), laws[2].scale());
  EXPECT_GT(std::abs(laws[0].scale() / laws[1].scale() - 1), 0.2);
  EXPECT_GT(std::abs(laws[1].scale() / laws[3].scale() - 1), 0.2);
}

}  // namespace
}  // namespace vernier::release
