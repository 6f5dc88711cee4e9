#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/engine/duckdb_session.hpp"

// What becomes of the cells and lines of a CSV file. Nothing is sniffed, and no line makes the engine fail.
namespace vernier::engine {
namespace {

using testing::DataFolder;
using testing::groups_of;
using testing::session_of;
using testing::statistic_of;

std::string table_of(const std::string& source = "") {
  return "[tables.t]\nsource = \"t.csv\"\nunit = \"row\"\nrow_limit = 1000000\n" + source + R"([tables.t.columns]
b = { type = "boolean" }
i = { type = "integer" }
r = { type = "real" }
s = { type = "string" }
d = { type = "date" }
)";
}

// How many rows there are, and in how many of them b, i, r, s and d have a value.
std::vector<std::int64_t> counts(const std::string& csv, const std::string& source = "") {
  const DataFolder folder;
  folder.write("t.csv", csv);
  const auto statistic = statistic_of(
      "SELECT COUNT(*) AS n, COUNT(b) AS b1, COUNT(i) AS i1, COUNT(r) AS r1, COUNT(s) AS s1, COUNT(d) AS d1 FROM t", "",
      table_of(source));
  const auto session = session_of(folder.catalog(table_of(source)));
  const auto groups = groups_of(*session, plan::render(statistic, plan::BoundingForm::rows));
  return groups.empty() ? std::vector<std::int64_t>() : groups.front().tallies;
}

using Counts = std::vector<std::int64_t>;

TEST(DuckDbCsv, ReadsEveryType) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,0.5,x,2020-02-29\n"), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b,i,r,s,d\n1,-1,1,x,0001-01-01\n0,0,0,x,9999-12-31\n"), (Counts{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts("b,i,r,s,d\n FALSE , +1 , 5e-1 , , 2020-02-29 \n"), (Counts{1, 1, 1, 1, 1, 1}));
}

TEST(DuckDbCsv, ReadsWhatDoesNotParseAsNull) {
  EXPECT_EQ(counts("b,i,r,s,d\nyes,1.0,abc,,2020-02-30\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\n2,1e3,nan,,20200229\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\nt,9223372036854775808,inf,,0000-01-01\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\n\"\",0x10,1e400,\"\",2020-01-01 00:00\n"), (Counts{1, 0, 0, 0, 0, 0}));
}

TEST(DuckDbCsv, FillsUpShortRowsAndCutsLongOnes) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1\ntrue\ntrue,1,2,x,2020-01-01,more,and more\n"), (Counts{3, 3, 2, 1, 1, 1}));
}

TEST(DuckDbCsv, FindsColumnsByTheirNames) {
  EXPECT_EQ(counts("other,d,S,r,i,b\nzzz,2020-01-01,x,1,2,true\n"), (Counts{1, 1, 1, 1, 1, 1}));
}

TEST(DuckDbCsv, LeavesOutRowsThatAreNoUtf8) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1,\xFF\xFE,2020-01-01\ntrue,1,1,x,2020-01-01\n"), (Counts{1, 1, 1, 1, 1, 1}));
}

TEST(DuckDbCsv, TakesQuotesDelimitersAndLineEnds) {
  EXPECT_EQ(counts("\xEF\xBB\xBF"
                   "b,i,r,s,d\r\ntrue,1,1,\"a,\"\"b\"\"\",2020-01-01\r\n"),
            (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b;i;r;s;d\ntrue;1;1;x;2020-01-01\n", "delimiter = \";\"\n"), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1,\"x,2020-01-01\ntrue,1,1,x,2020-01-01\n", "quoted = false\n"),
            (Counts{2, 2, 2, 2, 2, 2}));
}

TEST(DuckDbCsv, TakesLinesWithinQuotes) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1,\"x\ny\",2020-01-01\ntrue,1,1,x,2020-01-01\n"), (Counts{2, 2, 2, 2, 2, 2}));
}

// Many lines, so that several threads read, and every one of them may meet a quoted line end.
TEST(DuckDbCsv, TakesLinesWithinQuotesInLargeFiles) {
  std::string csv = "b,i,r,s,d\n";
  for (int i = 0; i < 200'000; ++i)
    csv += i % 1000 == 7 ? "true,1,1,\"x\ny\",2020-01-01\n"
                         : "true,1,1,a longer text to fill the buffer with,2020-01-01\n";
  EXPECT_EQ(counts(csv), (Counts(6, 200'000)));
}

TEST(DuckDbCsv, NeverFails) {
  for (const std::string& rows :
       {std::string("true,1,1,\"open,2020-01-01\ntrue,1,1,x,2020-01-01\n"), std::string("\n\n\n"),
        std::string(",,,,\n"), std::string("\0\0,\0", 4),
        std::string("true,1,1,") + std::string(3 << 20, 'x') + ",2020-01-01\n", std::string("\"\"\"\n\"\"\n\"a\"b,1\n"),
        std::string("true,1,1,x,2020-01-01\r\rtrue,1\n\r"), std::string(100'000, ','), std::string(100'000, '"'),
        std::string("\xEF\xBB\xBF\xFF\n")}) {
    EXPECT_EQ(counts("b,i,r,s,d\n" + rows).size(), 6U);
  }
}

}  // namespace
}  // namespace vernier::engine
