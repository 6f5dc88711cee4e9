#include <algorithm>
#include <ctime>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "vernier/query/quote.hpp"

// One statement for all statistics of a table costs little more than the most expensive of them, since all of them are
// read in one pass. By CPU time of all threads.
namespace vernier::engine {
namespace {

using testing::DataFolder;
using testing::session_of;
using testing::statistic_of;

std::string table_of(const std::string& unit) {
  return "[tables.t]\nsource = \"t.parquet\"\nunit = \"" + unit + R"("
row_limit = 100000000
[tables.t.columns]
who = { type = "integer" }
region = { type = "integer", keys = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] }
income = { type = "real", lower = 0, upper = 200000, granularity = 1 }
)";
}

void write_rows(const std::filesystem::path& path, std::int64_t rows) {
  testing::DuckDbSession engine;
  const std::string count = std::to_string(rows);
  const auto written = engine.run("COPY (SELECT CAST(hash(i * 3) % (" + count +
                                  " // 10) AS BIGINT) AS who, CAST(hash(i * 3 + 1) % 10 AS BIGINT) AS region, "
                                  "-ln((hash(i * 3 + 2) % 1000000 + 1) / 1000001.0) * 40000 AS income FROM range(" +
                                  count + ") t(i)) TO " + query::quoted_text(path.string()) + " (FORMAT parquet)");
  ASSERT_TRUE(written) << engine.error();
}

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double seconds_of(Session& session, const std::string& columns, const std::string& table) {
  const auto statistic = statistic_of("SELECT region, " + columns + " FROM t GROUP BY region", "", table);
  const plan::Sql sql = plan::render(statistic, session.form(statistic));
  const double start = cpu_seconds();
  EXPECT_TRUE(session.run(sql, {1, 2}, nobody_watches)) << columns;
  return cpu_seconds() - start;
}

void expect_little_more(const std::string& unit, std::int64_t rows) {
  const DataFolder folder;
  write_rows(folder.path("t.parquet"), rows);
  const std::string table = table_of(unit);
  const auto session = session_of(folder.catalog(table));
  const std::vector<std::string> columns = {"COUNT(*) AS n",    "COUNT(income) AS c",  "SUM(income) AS s",
                                            "AVG(income) AS a", "MEDIAN(income) AS m", "QUANTILE(income, 0.9) AS q",
                                            "MIN(income) AS l", "MAX(income) AS g"};
  std::string all;
  double most = 0;
  for (const std::string& column : columns) {
    all.append(all.empty() ? "" : ", ").append(column);
    most = std::max(most, seconds_of(*session, column, table));
  }
  const double together = seconds_of(*session, all, table);
  ::testing::Test::RecordProperty("times_" + unit, std::to_string(together / most));
  EXPECT_LE(together, 2 * most) << unit;
}

TEST(HeavyDuckDbSpeed, OfAllStatisticsIsThatOfTheMostExpensiveOneTwiceAtMost) {
  expect_little_more("row", 10'000'000);
  expect_little_more("who", 10'000'000);
}

}  // namespace
}  // namespace vernier::engine
