#include <gtest/gtest.h>

#include "report/page.hpp"
#include "report/parts.hpp"
#include "support/moved_contrasts.hpp"
#include "support/released_tables.hpp"
#include "support/signed_releases.hpp"
#include "text/numbers.hpp"

// The page of tables that add up: numbers, grey cells, and a list that holds at once.
namespace vernier::report {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

// One cell of 5,000 rows and one of 7, published as they are; no row in the other ten.
release::Release example(plan::BoundTables tables = testing::bound_tables({3, 4}, 2)) {
  release::Release made = testing::released({testing::by_region()}, {});
  made.plan = testing::plan_of_tables(std::move(tables), "1");
  made.tables.clear();
  const std::vector<testing::RawGroup> rows = {testing::raw_cell({0, 1}, 5000), testing::raw_cell({2, 3}, 7)};
  table::Noisy contrasts;
  for (const auto& one : testing::contrasts_of(made.plan.study.tables[0], engine::RawAggregates(rows)))
    contrasts.emplace_back(one.begin(), one.end());
  made.contrasts = {std::move(contrasts)};
  return made;
}

std::string page_of(const release::Release& release) {
  const ledger::Cost most = ledger::rules_of(release.terms)->quanta.budget();
  return page({release, testing::asked_of(release), {most - release.taken.cost, true, most}}).value();
}

TEST(TablesPage, CountsItsCellsAndItsShare) {
  const std::string html = page_of(example());
  EXPECT_TRUE(contains(html, "<bdi>20</bdi>"));  // 1 + 3 + 4 + 12
  EXPECT_TRUE(contains(html, "Of the 20 intervals here, about 1 may miss."));
  EXPECT_GE(count(html, "100.0 %"), 2U);
  EXPECT_TRUE(contains(html, "Add up estimates, never values"));
  EXPECT_TRUE(contains(html, "href=\"#tables-1\""));
}

TEST(TablesPage, IsGreyWhereACellCannotBeToldFromZero) {
  const std::string html = page_of(example());
  EXPECT_EQ(count(html, "class=\"heat nought\""), 11U);
  EXPECT_EQ(count(html, "style=\"--h: 100\""), 1U);
  EXPECT_TRUE(contains(html, ">5,000</td>"));
  EXPECT_TRUE(contains(html, "≤ "));
}

TEST(TablesPage, ListsCellsThatAreNotEmptyAtALevelThatHoldsForAll) {
  const release::Release release = example();
  const std::string html = page_of(release);
  EXPECT_TRUE(contains(html, "Of the 12 cells of tables of 2 columns 1 are not empty for certain"));
  EXPECT_TRUE(contains(html, "c0 = k0, c1 = k1"));
  const auto& planned = release.plan.tables[0];
  const double at_once =
      table::reaches_of(*release.plan.study.tables[0].lattice, planned.laws, *Alpha::of(0.05 / 20 * (1 - 0x1p-50)))
          .back();
  EXPECT_GT(at_once, planned.accuracies.back());
  const table::Cell wider = table::cell_of(table::Wide{5000} * 144, 12, at_once, 1'000'000);
  EXPECT_TRUE(contains(html, text::grouped(wider.low) + " to " + text::grouped(wider.high)));
}

TEST(TablesPage, KeepsNamesAndKeysText) {
  plan::BoundTables tables = testing::bound_tables({3, 4}, 2);
  tables.name = tables.columns[0].name = tables.columns[1].keys[0] = "<script>alert(1)</script>";
  const std::string html = page_of(example(std::move(tables)));
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_GT(count(html, "&lt;script&gt;"), 5U);
}

}  // namespace
}  // namespace vernier::report
