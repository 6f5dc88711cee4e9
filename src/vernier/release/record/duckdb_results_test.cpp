#include "vernier/release/record/duckdb_results.hpp"

#include <fstream>
#include <sstream>

#include <duckdb.h>
#include <gtest/gtest.h>

#include "support/signed_releases.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/core/text.hpp"

namespace vernier::release {
namespace {

using testing::by_region;
using testing::released;

Release small_release() {
  plan::BoundStatistic statistic = by_region();
  statistic.name = "it's \"one\"; DROP TABLE results";
  return released({statistic, testing::with_columns(testing::by_private_region(), {0})}, {});
}

// What a reader of the file finds: one line per row, cells divided by bars.
std::string read_back(const std::string& content, const std::string& columns) {
  const testing::TemporaryFolder folder;
  const std::string path = (folder.path() / "results.parquet").string();
  std::ofstream(path, std::ios::binary) << content;
  duckdb_database database = nullptr;
  duckdb_connection connection = nullptr;
  duckdb_open(nullptr, &database);
  duckdb_connect(database, &connection);
  duckdb_result result;
  const std::string sql =
      std::string("SELECT string_agg(concat_ws('|', ").append(columns).append("), chr(10)) FROM '") + path + "'";
  std::string found = "an error";
  if (duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess) {
    char* const text = duckdb_value_varchar(&result, 0, 0);
    found = text == nullptr ? "" : text;
    duckdb_free(text);
  }
  duckdb_destroy_result(&result);
  duckdb_disconnect(&connection);
  duckdb_close(&database);
  return found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ResultsParquet, HasARowForEveryNumberWithItsKeys) {
  const Release release = small_release();
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  const std::string rows = read_back(content, "statistic, \"row\", keys['region'], \"column\", covers, coverage");
  const std::string name = release.plan.study.statistics[0].name;
  EXPECT_TRUE(
      rows.starts_with(name + "|1|south|n|bounded-value|proven\n" + name + "|1|south|debt|bounded-value|proven\n"))
      << rows;
  EXPECT_NE(rows.find(name + "|3|east|educ|"), std::string::npos) << rows;
  EXPECT_NE(rows.find("north \"pole\"|n|"), std::string::npos) << rows;
  std::size_t numbers = 0;
  for (const Table& table : release.tables) {
    for (const Row& row : table.rows) numbers += row.numbers.size();
  }
  EXPECT_EQ(lines_of(read_back(content, "release")), std::vector<std::string>(numbers, release.id));
}

TEST(ResultsParquet, HasTheFiguresOfTheReleaseToTheLastBit) {
  const Release release = small_release();
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  const std::string first = read_back(content, "value, low, high, accuracy, confidence, informative, may_be_empty");
  const Number& number = release.tables[0].rows[0].numbers[2];
  const std::vector<std::string> lines = lines_of(first);
  std::string expected;
  for (const double figure : {number.value, number.interval.low, number.interval.high, number.accuracy}) {
    expected += shortest(figure) + "|";
  }
  EXPECT_EQ(lines.at(2), expected + "0.95|true|false");
}

TEST(ResultsParquet, SaysWhichIntervalsHoldAtOnce) {
  Release release = small_release();
  release.plan.study.statistics[1].inference.is_simultaneous = true;
  const auto lines =
      lines_of(read_back(results_parquet(release, testing::asked_of(release)).value(), "statistic, simultaneous"));
  EXPECT_EQ(lines.front(), release.plan.study.statistics[0].name + "|false");
  EXPECT_EQ(lines.back(), release.plan.study.statistics[1].name + "|true");
}

TEST(ResultsParquet, HasWhatWasMadeOfNumbersAndElseNothing) {
  Release release = small_release();
  release.tables[0].rows[0].numbers[0].denoised = 7.5;
  release.tables[0].rows[0].numbers[0].denoised_interval = interval::Interval{7, 8.25};
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  const auto lines = lines_of(read_back(content, "'made', denoised, denoised_low, denoised_high"));
  EXPECT_EQ(lines.at(0), "made|7.5|7.0|8.25");
  EXPECT_EQ(lines.at(1), "made");
}

TEST(ResultsParquet, TakesNumbersWithoutKeysAndKeysOfOneName) {
  Release release = small_release();
  plan::BoundStatistic& first = release.plan.study.statistics[0];
  first.query.keys.clear();
  for (Row& row : release.tables[0].rows) row.keys.clear();
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  EXPECT_TRUE(read_back(content, "len(map_keys(keys)), \"column\"").starts_with("0|n\n0|debt\n"));
  plan::BoundStatistic& second = release.plan.study.statistics[1];
  second.query.keys.push_back(second.query.keys[0]);
  for (Row& row : release.tables[1].rows) row.keys.push_back(query::Value("again"));
  const std::string twice = results_parquet(release, testing::asked_of(release)).value();
  EXPECT_NE(read_back(twice, "keys['region_']").find("again"), std::string::npos);
}

TEST(ResultsParquet, HasTheSameBytesForTheSameRelease) {
  const Release release = small_release();
  const release::Asked asked = testing::asked_of(release);
  EXPECT_EQ(results_parquet(release, asked).value(), results_parquet(release, asked).value());
}

TEST(ResultsParquet, OfAReleaseWithoutRowsIsATableWithoutRows) {
  Release release = small_release();
  for (Table& table : release.tables) table.rows.clear();
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  EXPECT_EQ(read_back(content, "release"), "");
}

TEST(SlowResultsParquet, TakesAHundredThousandRows) {
  Release release = small_release();
  release.tables[0].rows.resize(100'000, release.tables[0].rows[0]);
  const std::string content = results_parquet(release, testing::asked_of(release)).value();
  EXPECT_GT(content.size(), 1000U);
}

}  // namespace
}  // namespace vernier::release
