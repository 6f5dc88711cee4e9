#include <random>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "vernier/query/quote.hpp"

// Values that break engines, in every column type, every aggregate and as units and keys: no error, and nothing beyond
// the bounds.
namespace vernier::engine {
namespace {

using plan::BoundingForm;
using testing::DataFolder;
using testing::session_of;
using testing::statistic_of;

std::string table_of(const std::string& source, const std::string& unit) {
  return "[tables.t]\nsource = \"" + source + "\"\nunit = \"" + unit + "\"\nrow_limit = 100000\n" +
         R"([tables.t.columns]
b = { type = "boolean" }
i = { type = "integer" }
ib = { type = "integer", lower = -5, upper = 9 }
r = { type = "real" }
rb = { type = "real", lower = -1, upper = 3, granularity = 0.25 }
s = { type = "string" }
d = { type = "date" }
db = { type = "date", lower = 2000-01-01, upper = 2003-12-31 }
)";
}

const std::vector<std::string> poison = {"",
                                         "nan",
                                         "NaN",
                                         "inf",
                                         "-inf",
                                         "1e308",
                                         "-1e308",
                                         "1e400",
                                         "5e-324",
                                         "-0.0",
                                         "0",
                                         "1",
                                         "-1",
                                         "2.5",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "99999999999999999999999999",
                                         "true",
                                         "false",
                                         "0001-01-01",
                                         "9999-12-31",
                                         "2001-02-29",
                                         "2001-02-28",
                                         "10000-01-01",
                                         "infinity",
                                         "x",
                                         " ",
                                         "'",
                                         "\\",
                                         "\u202E\u00df\u5217",
                                         "e\u0301",
                                         "\u00e9",
                                         "\U0001F469\u200D\U0001F4BB",
                                         "a;b",
                                         "$1",
                                         "%s",
                                         "NULL",
                                         "null"};

constexpr std::int64_t csv_rows = 400;

// Every second cell has a value of its column.
std::string poisoned_csv() {
  const std::vector<std::string> plain = {"true", "1", "7", "0.5", "0.5", "x", "2001-02-28", "2001-02-28"};
  std::mt19937_64 random(3);
  std::string csv = "b,i,ib,r,rb,s,d,db\n";
  for (std::int64_t i = 0; i < csv_rows; ++i) {
    for (std::size_t k = 0; k < plain.size(); ++k) {
      csv += k == 0 ? "" : ",";
      csv += random() % 2 == 0 ? plain[k] : poison[random() % poison.size()];
    }
    csv += "\n";
  }
  return csv;
}

// The same with the values that only an engine can write.
void write_parquet(const std::filesystem::path& path) {
  testing::DuckDbSession engine;
  const auto written = engine.run(
      "COPY (SELECT b, i, i AS ib, r, r AS rb, s, d, d AS db FROM (VALUES (TRUE), (FALSE), (NULL)) x(b), "
      "(VALUES (9223372036854775807), (-9223372036854775808), (0), (1), (NULL)) y(i), "
      "(VALUES ('nan'::DOUBLE), ('inf'), ('-inf'), (1.7976931348623157e308), (5e-324), (-0.0), (0.0), (0.125), (NULL)) "
      "z(r), "
      "(VALUES (''), ('x'), (NULL), (chr(8238) || 'y'), (chr(1))) v(s), "
      "(VALUES ('infinity'::DATE), ('-infinity'), ('5881580-07-10'), ('0001-01-01'), ('2001-05-05'), (NULL)) w(d)) "
      "TO " +
      query::quoted_text(path.string()) + " (FORMAT parquet)");
  ASSERT_TRUE(written) << engine.error();
}

const std::vector<std::string> keys = {
    "b", "i", "s", "d", "BUCKET(rb, 0.5)", "BUCKET(ib, 2)", "year(db)", "b, s", "CASE WHEN r > 0 THEN 'x' END", ""};
const std::string aggregates =
    "COUNT(*) AS n, COUNT(b) AS cb, COUNT(i) AS ci, COUNT(r) AS cr, COUNT(s) AS cs, COUNT(d) AS cd, SUM(ib) AS si, "
    "SUM(rb) AS sr, AVG(ib) AS ai, AVG(rb) AS ar, SUM(CLAMP(r * i, -10, 10)) AS p, AVG(CLAMP(i, -9, 9)) AS q, "
    "MEDIAN(ib) AS mi, QUANTILE(rb, 0.9) AS mr, MIN(CLAMP(r * i, -10, 10)) AS mp, MAX(ib) AS mx";

const std::string distinct =
    "COUNT(*) AS n, COUNT(DISTINCT b) AS eb, COUNT(DISTINCT i) AS ei, COUNT(DISTINCT r) AS er, COUNT(DISTINCT rb) AS "
    "erb, "
    "COUNT(DISTINCT s) AS es, COUNT(DISTINCT d) AS ed, COUNT(DISTINCT db) AS edb, COUNT(DISTINCT r * i) AS ep, "
    "COUNT(DISTINCT i * i) AS ew, COUNT(DISTINCT CASE WHEN b THEN s END) AS ec";

void expect_within(const plan::BoundStatistic& statistic, const RawGroup& group, std::int64_t rows) {
  for (std::size_t i = 0; i < statistic.tallies.size(); ++i) {
    const bool is_sum = statistic.tallies[i].kind == plan::TallyKind::sum;
    const plan::Steps steps = is_sum ? statistic.arguments[statistic.tallies[i].argument].steps : plan::Steps{0, 1};
    EXPECT_GE(group.tallies[i], steps.lower * rows);
    EXPECT_LE(group.tallies[i], steps.upper * rows);
  }
  for (std::size_t i = 0; i < statistic.histograms.size(); ++i) {
    const std::int64_t greatest = statistic.arguments[statistic.histograms[i].argument].steps.upper;
    for (const noise::Occupied& one : group.histograms[i]) {
      EXPECT_TRUE(0 <= one.point && one.point <= greatest && 1 <= one.rows && one.rows <= rows);
    }
  }
}

void expect_no_error(Session& session, const std::string& what, int most, const std::string& tables,
                     std::int64_t rows) {
  for (const std::string& key : keys) {
    const std::string sql =
        "SELECT " + (key.empty() ? "" : key + ", ") + what + " FROM t" + (key.empty() ? "" : " GROUP BY " + key);
    const auto statistic = statistic_of(sql, "max_groups = 2\nmax_rows = " + std::to_string(most), tables);
    for (const BoundingForm form : {BoundingForm::window, BoundingForm::bottom_m}) {
      const auto raw = session.run(plan::render(statistic, form), {INT64_MIN, INT64_MAX}, nobody_watches);
      ASSERT_TRUE(raw) << sql;
      EXPECT_FALSE(testing::Recorder::groups(*raw).empty()) << sql;
      for (const RawGroup& group : testing::Recorder::groups(*raw)) expect_within(statistic, group, rows);
    }
  }
}

void expect_no_error(const query::Catalog& catalog, const std::string& tables, std::int64_t rows) {
  const auto session = session_of(catalog);
  ASSERT_TRUE(session);
  expect_no_error(*session, aggregates, 3, tables, rows);
  for (const int most : {1, 3}) expect_no_error(*session, distinct, most, tables, rows);
}

TEST(DuckDbSpecialValues, OfCsvGiveNoError) {
  const DataFolder folder;
  folder.write("t.csv", poisoned_csv());
  for (const char* const unit : {"row", "i", "s", "db"}) {
    const std::string tables = table_of("t.csv", unit);
    expect_no_error(folder.catalog(tables), tables, csv_rows);
  }
}

TEST(DuckDbSpecialValues, OfParquetGiveNoError) {
  const DataFolder folder;
  write_parquet(folder.path("t.parquet"));
  for (const char* const unit : {"row", "i", "s", "d"}) {
    const std::string tables = table_of("t.parquet", unit);
    expect_no_error(folder.catalog(tables), tables, 3 * 5 * 9 * 5 * 6);
  }
}

// Two units beyond the bounds stay two, and other ways to write a number are no other unit.
TEST(DuckDbSpecialValues, NameUnitsAsTheyAre) {
  const DataFolder folder;
  folder.write("t.csv", "b,i,ib,r,rb,s,d,db\n,,100\n,,200\n,,+3\n,,3\n,, 03\n,,x\n,,\n");
  const std::string tables = table_of("t.csv", "ib");
  const auto statistic = statistic_of("SELECT COUNT(*) AS n FROM t", "", tables);
  const auto session = session_of(folder.catalog(tables));
  const auto groups = testing::groups_of(*session, plan::render(statistic, BoundingForm::window));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups.front().tallies.front(), 3);
}

}  // namespace
}  // namespace vernier::engine
