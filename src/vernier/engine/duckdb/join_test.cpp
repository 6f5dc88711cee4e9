#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/text.hpp"

// Joins with public tables as they run.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::DataFolder;

const std::string visits = R"([tables.visits]
source = "visits.csv"
unit = "id"
row_limit = 100000
[tables.visits.columns]
id = { type = "integer" }
region = { type = "string" }
year = { type = "integer", lower = 2000, upper = 2030 }
day = { type = "date" }
x = { type = "real", lower = 0, upper = 8, granularity = 0.5 }
)";

const std::string regions = R"([tables.regions]
source = "regions.csv"
public = true
[tables.regions.columns]
region = { type = "string" }
country = { type = "string", keys = ["A", "B"] }
area = { type = "real", lower = 0, upper = 64, granularity = 0.5 }
)";

const std::string years = R"([tables.years]
source = "years.csv"
public = true
[tables.years.columns]
country = { type = "string" }
year = { type = "integer" }
factor = { type = "integer", lower = 0, upper = 9 }
)";

constexpr const char* visit_rows =
    "id,region,year,day,x\n"
    "1,north,2001,2020-01-01,1\n"
    "1,north,2001,2020-01-01,1\n"
    "2,north,2002,2020-01-01,2\n"
    "3,south,2001,2020-01-01,3\n"
    "4,NORTH,2001,2020-01-01,4\n"
    "5,,2001,2020-01-01,5\n"
    "6,nowhere,2001,2020-01-01,6\n"
    "7,south,9999,2020-01-01,7\n";

constexpr const char* region_rows = "region,country,area\nnorth,A,2\nsouth,B,nan\n,A,9\neast,B,100\n";
constexpr const char* year_rows = "country,year,factor\nA,2001,3\nB,2001,5\nB,2030,7\nA,,9\n";

class Join : public ::testing::Test {
 protected:
  Join() {
    folder.write("visits.csv", visit_rows);
    folder.write("regions.csv", region_rows);
    folder.write("years.csv", year_rows);
  }

  query::Catalog catalog() const { return folder.catalog(visits + regions + years); }

  plan::BoundStatistic bound(const std::string& sql, const std::string& more = "max_groups = 9\nmax_rows = 9") const {
    const Result<plan::BoundStudy> study = testing::bound_to(catalog(), {{sql, more}});
    EXPECT_TRUE(study) << study.error().sentence();
    return study.value().statistics.front();
  }

  // The tallies of every group, from both forms, as "cell: t0 t1"; sums in values and not in steps.
  std::string tallies(const std::string& sql) const {
    const auto session = testing::session_of(catalog());
    const plan::BoundStatistic statistic = bound(sql);
    const std::string told =
        text_of(statistic, testing::groups_of(*session, render(statistic, BoundingForm::bottom_m)));
    EXPECT_EQ(told, text_of(statistic, testing::groups_of(*session, render(statistic, BoundingForm::window)))) << sql;
    return told;
  }

  std::string check(const std::string& sql) const {
    const Result<void> checked = testing::session_of(catalog())->check_joins(bound(sql));
    return checked ? "" : checked.error().sentence();
  }

  DataFolder folder;

 private:
  static std::string text_of(const plan::BoundStatistic& statistic, const std::vector<RawGroup>& groups) {
    std::string text;
    for (const RawGroup& group : groups) {
      text += text.empty() ? "" : ", ";
      text += group.keys.empty() ? std::to_string(group.cell) : query::text_of(group.keys.front());
      text += ":";
      for (std::size_t i = 0; i < group.tallies.size(); ++i) {
        const plan::Tally& tally = statistic.tallies[i];
        const double step = tally.kind == plan::TallyKind::sum ? statistic.arguments[tally.argument].granularity : 1;
        text.append(" ").append(shortest(static_cast<double>(group.tallies[i]) * step));
      }
    }
    return text;
  }
};

TEST_F(Join, LooksUpOneRowForEach) {
  EXPECT_EQ(tallies("SELECT country, COUNT(*) AS n FROM visits JOIN regions USING (region) GROUP BY country"),
            "0: 3, 1: 2");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"), "0: 5");
}

TEST_F(Join, LeftJoinKeepsRowsThatFindNothing) {
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n, COUNT(country) AS c FROM visits LEFT JOIN regions USING (region)"),
            "0: 8 5");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n FROM visits LEFT JOIN regions USING (region) WHERE country IS NULL"), "0: 3");
}

TEST_F(Join, MovesColumnsOfThePublicTableIntoTheirBounds) {
  folder.write("regions.csv", "region,country,area\nnorth,A,1e300\nsouth,B,nan\n");
  // 3 rows of north at 64, and none of south, whose area is no number
  EXPECT_EQ(tallies("SELECT SUM(area) AS a, COUNT(area) AS n FROM visits JOIN regions USING (region)"), "0: 192 3");
}

TEST_F(Join, ChainsByColumnsOfPublicTablesAndByBoundedColumns) {
  // 9999 counts as 2030; 2002 of A finds nothing
  EXPECT_EQ(tallies("SELECT SUM(factor) AS f FROM visits JOIN regions USING (region) JOIN years USING (country, year)"),
            "0: 18");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n, SUM(factor) AS f FROM visits LEFT JOIN regions USING (region) LEFT JOIN "
                    "years USING (country, year)"),
            "0: 8 18");
}

TEST_F(Join, NullMeetsNothing) {
  folder.write("regions.csv", "region,country,area\n,A,1\n,B,2\nnorth,A,1\n");
  EXPECT_EQ(check("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"), "");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"), "0: 3");
}

TEST_F(Join, RepeatedKeysAreRefusedByName) {
  folder.write("regions.csv", "region,country,area\nsouth,B,1\nnorth,A,1\nnorth,B,2\n");
  EXPECT_EQ(check("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"),
            "the public table 'regions' has several rows with region = 'north', and a join must find one; write each "
            "key once into its file, or name more columns in USING");
  folder.write("years.csv", "country,year,factor\nA,2001,3\nA,2002,3\nA,2001,4\n");
  folder.write("regions.csv", region_rows);
  EXPECT_NE(check("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region) JOIN years USING (country, year)")
                .find("country = 'A', year = '2001'"),
            std::string::npos);
}

TEST_F(Join, KeysThatBecomeOneWithinTheirBoundsAreRepeated) {
  folder.write("years.csv", "country,year,factor\nA,2031,3\nA,2032,4\n");
  query::Catalog bounded = catalog();
  for (query::Table& table : bounded.public_tables) {
    for (query::Column& column : table.columns) {
      if (column.name == "year") column.range = query::Range{std::int64_t{2000}, std::int64_t{2030}};
    }
  }
  const auto study = testing::bound_to(
      bounded, {{"SELECT COUNT(*) AS n FROM visits JOIN regions USING (region) JOIN years USING (country, year)", ""}});
  const Result<void> checked = testing::session_of(bounded)->check_joins(study.value().statistics.front());
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().sentence().find("year = '2030'"), std::string::npos) << checked.error().sentence();
}

// What the check refuses cannot multiply rows either: privacy rests on the form of the statement alone.
TEST_F(Join, RepeatedKeysMultiplyNothing) {
  folder.write("regions.csv", "region,country,area\nnorth,B,1\nnorth,A,1\nnorth,A,1\nsouth,B,2\nsouth,B,2\n");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"), "0: 5");
  EXPECT_EQ(tallies("SELECT COUNT(*) AS n FROM visits LEFT JOIN regions USING (region)"), "0: 8");
}

TEST_F(Join, OddNamesStayNames) {
  folder.write("odd.csv", "region,left,\"r\"\".\",l,key 0\nnorth,select,2,3,4\n");
  const query::Catalog odd = folder.catalog(visits + R"([tables."a \"b"]
source = "odd.csv"
public = true
[tables."a \"b".columns]
region = { type = "string" }
left = { type = "string" }
"r\"." = { type = "integer", lower = 0, upper = 9 }
l = { type = "integer", lower = 0, upper = 9 }
"key 0" = { type = "integer", lower = 0, upper = 9 }
)");
  const std::string sql =
      R"(SELECT SUM(l) AS s, SUM(\"r\"\".\") AS r, SUM(\"key 0\") AS k FROM visits JOIN \"a \"\"b\" AS \"left\" )"
      R"(USING (region) WHERE \"left\".\"left\" = 'select')";
  const auto study = testing::bound_to(odd, {{sql, "max_rows = 9"}});
  ASSERT_TRUE(study) << study.error().sentence();
  const auto session = testing::session_of(odd);
  const auto groups = testing::groups_of(*session, render(study->statistics.front(), BoundingForm::bottom_m));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].tallies, (std::vector<std::int64_t>{9 << 19, 6 << 19, 12 << 19}));
}

TEST_F(Join, TellsTheHashOfWhatWasRead) {
  const auto session = testing::session_of(catalog());
  ASSERT_EQ(session->public_files().size(), 2U);
  EXPECT_EQ(session->public_files()[0], (PublicFile{"regions", sha256(region_rows).value()}));
}

TEST_F(Join, ReadsThePublicTableOnce) {
  const auto session = testing::session_of(catalog());
  const plan::BoundStatistic statistic = bound("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)");
  folder.write("regions.csv", "region,country,area\n");
  const auto groups = testing::groups_of(*session, render(statistic, BoundingForm::bottom_m));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].tallies, (std::vector<std::int64_t>{5}));
}

TEST_F(Join, MissingPublicFilesAndColumnsAreTold) {
  folder.write("regions.csv", "regio,country,area\n");
  const query::Catalog made = catalog();
  const Result<void> checked = check_source(made, made.public_tables.front());
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().sentence().find("has no column 'region'"), std::string::npos);
}

using SlowJoin = Join;

TEST_F(SlowJoin, TakesAHugePublicTable) {
  std::string rows = "region,country,area\n";
  for (int i = 0; i < 500'000; ++i) rows.append("r").append(std::to_string(i)).append(",A,1\n");
  rows += "north,B,2\n";
  folder.write("regions.csv", rows);
  EXPECT_EQ(check("SELECT COUNT(*) AS n FROM visits JOIN regions USING (region)"), "");
  EXPECT_EQ(tallies("SELECT country, COUNT(*) AS n FROM visits JOIN regions USING (region) GROUP BY country"), "1: 3");
}

}  // namespace
}  // namespace vernier::engine
