#include <map>
#include <set>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/random_visits.hpp"

// The rows by value that quantiles are chosen from.
namespace vernier::engine {
namespace {

using noise::Occupied;
using plan::BoundingForm;
using testing::csv_of;
using testing::DataFolder;
using testing::groups_of;
using testing::limits;
using testing::RandomVisits;
using testing::session_of;
using testing::statistic_of;
using testing::Visit;
using testing::visits_table;

using Histogram = std::vector<Occupied>;

const std::string row_table = "[tables.visits]\nsource = \"visits.csv\"\nunit = \"row\"\n" + testing::visits_columns;

std::string statement(const std::string& keys) {
  return testing::statement(keys, "COUNT(*) AS n, MEDIAN(debt) AS m, MAX(income) AS x, AVG(debt) AS a");
}

const std::vector<std::string> grouped = {"region", "city", "code", "region, member", "code, city", ""};

TEST(DuckDbHistogram, CountsTheRowsOfEachValue) {
  const DataFolder folder;
  // debt from -20 to 30, counted from -20 on; income from 0 to 10 in steps of 0.25
  folder.write("visits.csv", testing::visits_header +
                                 "u,a,x,1,,-20,0\nv,a,x,1,,-99,0.2\nw,a,x,1,,30,nan\nx,b,x,1,,,7\nz,zz,x,1,,5,5\n");
  const auto session = session_of(folder.catalog(row_table));
  for (const BoundingForm form : {BoundingForm::rows, BoundingForm::window}) {
    const auto groups = groups_of(*session, plan::render(statistic_of(statement("region"), "", row_table), form));
    ASSERT_EQ(groups.size(), 2U);
    EXPECT_EQ(groups[0].histograms, (std::vector<Histogram>{{{0, 2}, {50, 1}}, {{0, 1}, {1, 1}}}));
    EXPECT_EQ(groups[1].histograms, (std::vector<Histogram>{{}, {{28, 1}}}));
  }
}

TEST(DuckDbHistogram, IsTheSameInBothForms) {
  const DataFolder folder;
  RandomVisits random(4);
  for (int i = 0; i < 24; ++i) {
    folder.write("visits.csv", csv_of(random.visits(1 + random.below(40), 300)));
    const auto units = session_of(folder.catalog(visits_table));
    const auto rows = session_of(folder.catalog(row_table));
    const std::string& keys = grouped[static_cast<std::size_t>(i) % grouped.size()];
    for (const std::string& table : {visits_table, row_table}) {
      const bool has_units = table == visits_table;
      const std::string more = has_units ? limits(1 + random.below(9), 1 + random.below(5)) : "";
      const auto statistic = statistic_of(statement(keys), more, table);
      Session& session = has_units ? *units : *rows;
      const auto fast = groups_of(session, plan::render(statistic, plan::fastest_form(statistic)));
      const auto plain = groups_of(session, plan::render(statistic, BoundingForm::window));
      ASSERT_EQ(fast.size(), plain.size());
      for (std::size_t k = 0; k < fast.size(); ++k) {
        EXPECT_EQ(fast[k].histograms, plain[k].histograms) << keys << ' ' << more;
        EXPECT_EQ(fast[k].tallies, plain[k].tallies) << keys << ' ' << more;
      }
    }
  }
}

std::int64_t rows_of(const Histogram& histogram) {
  std::int64_t rows = 0;
  for (const Occupied& one : histogram) rows += one.rows;
  return rows;
}

// As many values of a unit as count, each one that it has; others with another secret.
TEST(DuckDbHistogram, KeepsMaxRowsValuesOfAUnitByChance) {
  const DataFolder folder;
  std::string csv = testing::visits_header;
  for (int unit = 0; unit < 50; ++unit) {
    for (int value = -20; value <= 30; ++value) {
      csv.append("u").append(std::to_string(unit)).append(",a,x,1,,").append(std::to_string(value)).append(",\n");
    }
  }
  folder.write("visits.csv", csv);
  const auto session = session_of(folder.catalog(visits_table));
  for (const std::size_t rows : {1U, 3U, 60U}) {
    const plan::Sql sql =
        plan::render(statistic_of(statement("region"), limits(1, rows), visits_table), BoundingForm::bottom_m);
    const Histogram one = groups_of(*session, sql, {1, 2}).front().histograms.front();
    EXPECT_EQ(rows_of(one), static_cast<std::int64_t>(50 * std::min<std::size_t>(rows, 51)));
    const Histogram other = groups_of(*session, sql, {3, 4}).front().histograms.front();
    EXPECT_EQ(one == other, rows == 60U);
    if (rows == 3U) {
      EXPECT_GT(one.size(), 35U);  // of 51 values: no value is favoured by all units
    }
  }
}

// Whoever is removed: nothing but the values of that unit goes, and no more of them than count.
TEST(DuckDbHistogram, LosesOnlyTheValuesOfAUnitThatIsRemoved) {
  const DataFolder folder;
  RandomVisits random(6);
  const std::vector<Visit> visits = random.visits(10, 300);
  std::set<std::string> units;
  for (const Visit& visit : visits) units.insert(visit.who);
  std::int64_t most = 0;
  for (const std::string keys : {"region", "city", ""}) {
    const auto statistic = statistic_of(statement(keys), limits(2, 2), visits_table);
    const plan::Sql sql = plan::render(statistic, BoundingForm::bottom_m);
    const auto read = [&](const std::string& without) {
      folder.write("visits.csv", csv_of(visits, without));
      const auto session = session_of(folder.catalog(visits_table));
      std::map<std::pair<std::int64_t, std::vector<query::Value>>, Histogram> all;
      for (const RawGroup& group : groups_of(*session, sql)) all[{group.cell, group.keys}] = group.histograms[0];
      return all;
    };
    const auto before = read("nobody");
    for (const std::string& unit : units) {
      auto after = read(unit);
      std::size_t touched = 0;
      for (const auto& [group, histogram] : before) {
        const std::int64_t lost = rows_of(histogram) - rows_of(after[group]);
        EXPECT_TRUE(0 <= lost && lost <= 2) << unit;
        touched += histogram == after[group] ? 0 : 1;
        most = std::max(most, lost);
      }
      EXPECT_LE(touched, 2U) << unit;
    }
  }
  EXPECT_EQ(most, 2);  // the bound is met
}

TEST(DuckDbHistogram, TakesManyValuesInRuns) {
  const std::string table = R"([tables.t]
source = "t.csv"
unit = "row"
row_limit = 1000
[tables.t.columns]
x = { type = "integer", lower = 0, upper = 4194303 }
)";
  const DataFolder folder;
  folder.write("t.csv", "x\n0\n3\n4\n4194303\n");
  const auto statistic = statistic_of("SELECT MEDIAN(x) AS m FROM t", "", table);
  EXPECT_EQ(statistic.histograms.front().halvings, 2);
  const auto session = session_of(folder.catalog(table));
  for (const BoundingForm form : {BoundingForm::rows, BoundingForm::window}) {
    const auto groups = groups_of(*session, plan::render(statistic, form));
    EXPECT_EQ(groups.front().histograms, (std::vector<Histogram>{{{0, 2}, {1, 1}, {1048575, 1}}}));
  }
}

}  // namespace
}  // namespace vernier::engine
