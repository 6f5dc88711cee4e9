#include <filesystem>
#include <random>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/engine/duckdb/session.hpp"

// What becomes of the cells and lines of a CSV file: nothing is sniffed, a line is a row, and none makes the engine
// fail.
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
  EXPECT_EQ(counts("b,i,r,s,d\nyes,1.5,abc,,2020-02-30\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\n2,1e-3,nan,,20200229\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\nt,9223372036854775808,inf,,0000-01-01\n"), (Counts{1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(counts("b,i,r,s,d\n\"\",0x10,1e400,\"\",2020-01-01 00:00\n"), (Counts{1, 0, 0, 0, 0, 0}));
}

TEST(DuckDbCsv, FillsUpShortRowsAndCutsLongOnes) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1\ntrue\ntrue,1,2,x,2020-01-01,more,and more\n"), (Counts{3, 3, 2, 1, 1, 1}));
}

TEST(DuckDbCsv, FindsColumnsByTheirNames) {
  EXPECT_EQ(counts("other,d,S,r,i,b\nzzz,2020-01-01,x,1,2,true\n"), (Counts{1, 1, 1, 1, 1, 1}));
}

TEST(DuckDbCsv, ReadsTextThatIsNoUtf8AsNull) {
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1,\xFF\xFE,2020-01-01\ntrue,1,1,x,2020-01-01\n"), (Counts{2, 2, 2, 2, 1, 2}));
  EXPECT_EQ(counts("b,i,r,s,d\n\xFF,\xFF,\xFF,a longer text that ends badly \xC3,\xFF\n"), (Counts{1, 0, 0, 0, 0, 0}));
}

TEST(DuckDbCsv, ReadsControlCharactersAsText) {
  const std::string zero(1, '\0');
  for (const std::string& text : {"a" + zero + "b", "\xC3\xA9" + zero, zero, zero + "a text of more than twelve bytes"})
    EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1," + text + ",2020-01-01\n"), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b,i,r,s,d\ntrue\r,1\r,\r1,a\rb,2020-01-01\r\r\n"), (Counts{1, 0, 0, 0, 1, 0}));
}

TEST(DuckDbCsv, TakesQuotesDelimitersAndLineEnds) {
  EXPECT_EQ(counts("\xEF\xBB\xBF"
                   "b,i,r,s,d\r\ntrue,1,1,\"a,\"\"b\"\"\",2020-01-01\r\n"),
            (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b;i;r;s;d\ntrue;1;1;x;2020-01-01\n", "delimiter = \";\"\n"), (Counts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts("b,i,r,s,d\ntrue,1,1,\"x,2020-01-01\ntrue,1,1,x,2020-01-01\n", "quoted = false\n"),
            (Counts{2, 2, 2, 2, 2, 2}));
}

TEST(DuckDbCsv, TakesLinesWithinQuotesWhereThatIsDeclared) {
  const std::string csv = "b,i,r,s,d\ntrue,1,1,\"x\ny\",2020-01-01\ntrue,1,1,x,2020-01-01\n";
  EXPECT_EQ(counts(csv, "line_breaks = true\n"), (Counts{2, 2, 2, 2, 2, 2}));
  EXPECT_EQ(counts(csv), (Counts{3, 2, 2, 2, 1, 1}));
}

// Many lines, so that several threads would read.
TEST(DuckDbCsv, TakesLinesWithinQuotesInLargeFiles) {
  std::string csv = "b,i,r,s,d\n";
  for (int i = 0; i < 200'000; ++i)
    csv += i % 1000 == 7 ? "true,1,1,\"x\ny\",2020-01-01\n"
                         : "true,1,1,a longer text to fill the buffer with,2020-01-01\n";
  EXPECT_EQ(counts(csv, "line_breaks = true\n"), (Counts(6, 200'000)));
  EXPECT_EQ(counts(csv), (Counts{200'200, 200'000, 200'000, 200'000, 199'800, 199'800}));
}

struct Lines {
  std::string text;
  Counts quoted;
  Counts plain;  // where quoted = false
};

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Every line is one row, and what cannot be read in it is NULL.
TEST(DuckDbCsv, NeverFails) {
  const std::string row = "true,1,1,x,2020-01-01";
  const Counts none = {1, 0, 0, 0, 0, 0}, all = {1, 1, 1, 1, 1, 1}, no_text = {1, 1, 1, 1, 0, 1};
  for (const Lines& lines :
       std::vector<Lines>{{"true,1,1,\"open,2020-01-01\n" + row + "\n", {2, 2, 2, 2, 1, 1}, {2, 2, 2, 2, 2, 2}},
                          {"\n\n\n", {3, 0, 0, 0, 0, 0}, {3, 0, 0, 0, 0, 0}},
                          {",,,,\n", none, none},
                          {std::string("\0\0,\0", 4), none, none},
                          {"true,1,1," + std::string(65'536, 'x') + ",2020-01-01\n", all, all},
                          {"true,1,1," + std::string(3 << 20, 'x') + ",2020-01-01\n", no_text, no_text},
                          {"true,1,1," + std::string(17 << 20, 'x') + ",2020-01-01\n", none, none},
                          {"\"\"\"\n\"\"\n\"a\"b,1\n", {3, 0, 0, 0, 0, 0}, {3, 0, 1, 0, 0, 0}},
                          {row + "\r\rtrue,1\n\r", {2, 1, 1, 1, 1, 0}, {2, 1, 1, 1, 1, 0}},
                          {repeated(row + "\r", 1000) + "\n", {1, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}},
                          {repeated("\r", 1000) + "\n", none, none},
                          {std::string(100'000, ','), none, none},
                          {std::string(100'000, '"'), none, none},
                          {std::string(17 << 20, '"') + "\n" + row + "\n", {2, 1, 1, 1, 1, 1}, {2, 1, 1, 1, 1, 1}},
                          {"\xEF\xBB\xBF\xFF\n", none, none}}) {
    EXPECT_EQ(counts("b,i,r,s,d\n" + lines.text), lines.quoted) << lines.text.substr(0, 100);
    EXPECT_EQ(counts("b,i,r,s,d\n" + lines.text, "quoted = false\n"), lines.plain) << lines.text.substr(0, 100);
    EXPECT_EQ(counts("b,i,r,s,d\n" + lines.text, "line_breaks = true\n").size(), 6U) << lines.text.substr(0, 100);
  }
}

// Lines of any bytes, each with a good one behind it.
std::string random_lines(int count) {
  std::mt19937_64 bits(3);
  std::string csv;
  for (int i = 0; i < count; ++i) {
    for (std::uint64_t left = bits() % 40; left > 0; --left) {
      const char byte = bits() % 3 == 0 ? std::string_view("\",\r\0 1", 6)[bits() % 6] : static_cast<char>(bits());
      csv += byte == '\n' ? '"' : byte;
    }
    csv += "\ntrue,-77,1,the right line,2020-01-01\n";
  }
  return csv;
}

// Not one line more or less, whichever columns are read.
TEST(DuckDbCsv, HasOneRowForEachLineWhateverStandsInIt) {
  constexpr int lines = 3000;
  for (const char* const source : {"", "quoted = false\n"}) {
    const DataFolder folder;
    folder.write("t.csv", "b,i,r,s,d\n" + random_lines(lines));
    const auto session = session_of(folder.catalog(table_of(source)));
    for (const char* const sql :
         {"SELECT COUNT(*) AS n FROM t", "SELECT COUNT(*) AS n, COUNT(b) AS x FROM t",
          "SELECT COUNT(*) AS n, COUNT(i) AS x FROM t", "SELECT COUNT(*) AS n, COUNT(r) AS x FROM t",
          "SELECT COUNT(*) AS n, COUNT(s) AS x FROM t", "SELECT COUNT(*) AS n, COUNT(d) AS x FROM t",
          "SELECT COUNT(*) AS n, COUNT(b) AS x, COUNT(s) AS y, COUNT(d) AS z FROM t"}) {
      const auto statistic = statistic_of(sql, "", table_of(source));
      const auto groups = groups_of(*session, plan::render(statistic, plan::BoundingForm::rows));
      ASSERT_EQ(groups.size(), 1U);
      EXPECT_EQ(groups.front().tallies.front(), 2 * lines) << source << sql;
    }
    const auto right = statistic_of(
        "SELECT COUNT(*) AS n, COUNT(b) AS b1, COUNT(r) AS r1, COUNT(d) AS d1 FROM t WHERE i = -77 AND s "
        "= 'the right line'",
        "", table_of(source));
    const auto groups = groups_of(*session, plan::render(right, plan::BoundingForm::rows));
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups.front().tallies, (Counts(4, lines))) << source;
  }
}

// Each unit as often as it has lines.
TEST(DuckDbCsv, MakesNoUnitsOfTheBytesOfALine) {
  const std::string table = R"([tables.t]
source = "t.csv"
unit = "id"
[tables.t.columns]
id = { type = "integer" }
x = { type = "string" }
)";
  std::string csv = "id,x\n1,y";
  for (int i = 2; i <= 1000; ++i) csv.append("\r").append(std::to_string(i)).append(",y");
  const DataFolder folder;
  folder.write("t.csv", csv + "\n2,y\n");
  for (const char* const source : {"", "quoted = false\n", "line_breaks = true\n"}) {
    std::string declared = table;
    declared.replace(declared.find("unit"), 0, source);
    const auto statistic = statistic_of("SELECT COUNT(DISTINCT id) AS people FROM t", "", declared);
    const auto session = session_of(folder.catalog(declared));
    const auto groups = groups_of(*session, plan::render(statistic, session->form(statistic)));
    ASSERT_EQ(groups.size(), 1U);
    EXPECT_EQ(groups.front().tallies.front(), 2) << source;
  }
}

// A damaged file is not a row: the one constant sentence.
TEST(DuckDbCsv, FailsWhereTheFileBecameShorter) {
  const DataFolder folder;
  folder.write("t.csv", "b,i,r,s,d\n" + repeated("true,1,1,x,2020-01-01\n", 100'000));
  const auto session = session_of(folder.catalog(table_of()));
  const auto statistic = statistic_of("SELECT COUNT(*) AS n FROM t", "", table_of());
  const plan::Sql sql = plan::render(statistic, plan::BoundingForm::rows);
  EXPECT_TRUE(session->run(sql, {1, 2}, nobody_watches));
  std::filesystem::resize_file(folder.path("t.csv"), 1 << 20);
  const auto failed = session->run(sql, {1, 2}, nobody_watches);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().sentence(), run_failed);
}

}  // namespace
}  // namespace vernier::engine
