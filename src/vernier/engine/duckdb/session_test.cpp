#include "vernier/engine/duckdb/session.hpp"

#include <memory>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"

namespace vernier::engine {
namespace {

using plan::BoundingForm;
using query::Value;
using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

using Tallies = std::vector<std::int64_t>;
using Cells = std::vector<std::pair<std::int64_t, Tallies>>;

const std::string columns = R"(row_limit = 1000000
[tables.visits.columns]
who = { type = "integer" }
where = { type = "string", keys = ["b", "a", "z"] }
amount = { type = "integer", lower = 0, upper = 100 }
)";
const std::string of_rows = "[tables.visits]\nsource = \"visits.csv\"\nunit = \"row\"\n" + columns;
const std::string of_persons = "[tables.visits]\nsource = \"visits.csv\"\nunit = \"who\"\n" + columns;

constexpr const char* statement =
    "SELECT \\\"where\\\", COUNT(*) AS n, SUM(amount) AS s FROM visits GROUP BY \\\"where\\\"";

Cells cells_of(const DataFolder& folder, const std::string& tables, const std::string& more, BoundingForm form) {
  const auto session = session_of(folder.catalog(tables));
  Cells cells;
  for (const RawGroup& group : groups_of(*session, plan::render(statistic_of(statement, more, tables), form))) {
    cells.emplace_back(group.cell, group.tallies);
  }
  return cells;
}

constexpr const char* some = "who,where,amount\n1,a,5\n1,a,7\n2,b,300\n2,a,\n3,c,1\n,a,9\n4,,8\n1,b,0\n";

TEST(DuckDbSession, AddsUpRowsThatAreUnits) {
  const DataFolder folder;
  folder.write("visits.csv", some);
  EXPECT_EQ(cells_of(folder, of_rows, "", BoundingForm::rows), (Cells{{0, {2, 100}}, {1, {4, 21}}}));
}

// Person 1 has two rows in a, of which one counts, with half of the sum. Sums of units are in steps of 2^-19.
TEST(DuckDbSession, AddsUpUnitsWithManyRows) {
  const DataFolder folder;
  folder.write("visits.csv", some);
  for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
    EXPECT_EQ(cells_of(folder, of_persons, "max_groups = 3", form), (Cells{{0, {2, 100 << 19}}, {1, {2, 6 << 19}}}));
  }
}

TEST(DuckDbSession, SaysNothingOfAnEmptyTable) {
  const DataFolder folder;
  folder.write("visits.csv", "who,where,amount\n");
  EXPECT_EQ(cells_of(folder, of_rows, "", BoundingForm::rows), Cells());
  EXPECT_EQ(cells_of(folder, of_persons, "", BoundingForm::bottom_m), Cells());
}

// Rows of as many persons, enough of them that a run is looked at in between on a fast machine, too.
std::string persons(int count) {
  std::string rows = "who,where,amount\n";
  for (int i = 0; i < count; ++i) rows += std::to_string(i) + ",a,1\n";
  return rows;
}

TEST(DuckDbSession, ReportsProgressAndStops) {
  const DataFolder folder;
  const plan::Sql sql = plan::render(statistic_of(statement, "", of_persons), BoundingForm::bottom_m);
  std::vector<double> told;
  std::unique_ptr<Session> session;
  for (int count = 300'000; told.size() < 4 && count < 20'000'000; count *= 2) {
    folder.write("visits.csv", persons(count));
    session = session_of(folder.catalog(of_persons));
    told.clear();
    const auto all = session->run(sql, {1, 2}, [&](double done) {
      told.push_back(done);
      return true;
    });
    ASSERT_TRUE(all);
    EXPECT_EQ(told.front(), 0);
    EXPECT_EQ(told.back(), 1);
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  }
  ASSERT_GE(told.size(), 4);
  for (const int calls : {1, 2}) {
    int left = calls;
    const auto stopped = session->run(sql, {1, 2}, [&](double) { return --left > 0; });
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().sentence(), run_stopped);
  }
  EXPECT_TRUE(session->run(sql, {1, 2}, nobody_watches));
}

// A file that is cut after it was checked: the sentence is the constant one.
TEST(DuckDbSession, TellsNothingOfWhatWentWrong) {
  const DataFolder folder;
  folder.write("visits.csv", some);
  const auto session = session_of(folder.catalog(of_rows));
  std::filesystem::resize_file(folder.path("visits.csv"), 20);
  const auto raw =
      session->run(plan::render(statistic_of(statement, "", of_rows), BoundingForm::rows), {1, 2}, nobody_watches);
  ASSERT_FALSE(raw);
  EXPECT_EQ(raw.error().sentence(), run_failed);
  const auto bad = session->run({"SELECT error('secret')", false, true, {}, 0, {}}, {1, 2}, nobody_watches);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().sentence(), run_failed);
}

TEST(DuckDbSession, NamesItsVersion) {
  const DataFolder folder;
  folder.write("visits.csv", some);
  EXPECT_EQ(session_of(folder.catalog(of_rows))->version(), "DuckDB 1.5.5");
}

TEST(DuckDbSession, OpensWhereTheSourceIsAsDeclaredOnly) {
  const DataFolder folder;
  const query::Catalog catalog = folder.catalog(of_rows);
  const auto session = open_duckdb(catalog, catalog.tables);
  ASSERT_FALSE(session);
  EXPECT_NE(session.error().sentence().find("visits.csv' is not there"), std::string::npos);
}

}  // namespace
}  // namespace vernier::engine
