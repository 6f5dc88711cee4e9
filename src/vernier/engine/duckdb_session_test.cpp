#include "vernier/engine/duckdb_session.hpp"

#include <fstream>

#include <gtest/gtest.h>

#include "support/bound_statistics.hpp"
#include "support/recorder.hpp"
#include "support/tables.hpp"

namespace vernier::engine {
namespace {

using plan::BoundingForm;
using query::Type;
using query::Value;
using testing::column_of;
using testing::Recorder;

// A table of visits in a CSV file: who, where, how much.
query::Catalog visits(const std::string& csv, bool has_unit) {
  const std::string folder = ::testing::TempDir();
  std::ofstream(folder + "visits.csv", std::ios::binary) << csv;
  query::Table table;
  table.name = "visits";
  table.source.path = "visits.csv";
  if (has_unit) table.unit = "who";
  table.row_limit = 1000;
  table.columns = {column_of("who", Type::integer), column_of("where", Type::string),
                   column_of("amount", Type::integer, query::Range{std::int64_t{0}, std::int64_t{100}})};
  query::Catalog catalog = testing::people_catalog();
  catalog.path = folder + "catalog.toml";
  catalog.tables = {table};
  return catalog;
}

struct Row {
  std::int64_t cell;
  std::vector<std::int64_t> tallies;
  friend bool operator==(const Row&, const Row&) = default;
};

std::vector<Row> run(const query::Catalog& catalog, const plan::BoundStatistic& statistic, BoundingForm form) {
  auto session = open_duckdb(catalog, catalog.tables, {2, 0});
  EXPECT_TRUE(session) << session.error().sentence;
  const auto raw = (*session)->run(plan::render(statistic, form), {17, -4}, nobody_watches);
  EXPECT_TRUE(raw) << plan::render(statistic, form).text;
  std::vector<Row> rows;
  if (!raw) return rows;
  for (const RawGroup& group : Recorder::sorted(*raw)) rows.push_back({group.cell, group.tallies});
  return rows;
}

constexpr const char* statement = "SELECT \"where\", COUNT(*), SUM(amount) FROM visits GROUP BY \"where\"";
constexpr const char* some = "who,where,amount\n1,a,5\n1,a,7\n2,b,300\n2,a,\n3,c,1\n,a,9\n4,,8\n";

TEST(DuckDbSession, CountsRowsThatAreUnits) {
  const query::Catalog catalog = visits(some, false);
  const auto statistic = testing::bound(statement, catalog, {1, 1}, testing::public_keys({"b", "a", "z"}));
  EXPECT_EQ(run(catalog, statistic, BoundingForm::rows), (std::vector<Row>{{0, {1, 1, 100}}, {1, {4, 4, 21}}}));
}

TEST(DuckDbSession, CountsUnitsWithManyRows) {
  const query::Catalog catalog = visits(some, true);
  const auto statistic = testing::bound(statement, catalog, {3, 1}, testing::public_keys({"b", "a", "z", "c"}));
  const std::vector<Row> expected{{0, {1, 1, 100}}, {1, {2, 2, 6}}, {3, {1, 1, 1}}};
  EXPECT_EQ(run(catalog, statistic, BoundingForm::window), expected);
  EXPECT_EQ(run(catalog, statistic, BoundingForm::bottom_m), expected);
}

}  // namespace
}  // namespace vernier::engine
