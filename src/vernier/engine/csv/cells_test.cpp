#include <vector>

#include <gtest/gtest.h>

#include "vernier/engine/csv/file.hpp"

namespace vernier::engine {
namespace {

using Cells = std::vector<std::string>;

const std::string unread = "(unread)";

Cells cells_of(std::string_view row, const CsvFormat& format = {}) {
  Cells cells;
  while (has_cell(row)) {
    const CsvCell cell = take_cell(row, format);
    cells.emplace_back(cell.is_read ? cell.text : unread);
    if (!cell.is_doubled) continue;
    cells.back().clear();
    append_single(cell.text, cells.back());
  }
  return cells;
}

TEST(CsvCells, StandBetweenDelimiters) {
  EXPECT_EQ(cells_of(""), (Cells{""}));
  EXPECT_EQ(cells_of("a"), (Cells{"a"}));
  EXPECT_EQ(cells_of(","), (Cells{"", ""}));
  EXPECT_EQ(cells_of("a, b ,,c,"), (Cells{"a", " b ", "", "c", ""}));
  EXPECT_EQ(cells_of("a,b;c", {';'}), (Cells{"a,b", "c"}));
  EXPECT_EQ(cells_of(std::string("a\rb,\0,\xFF", 7)), (Cells{"a\rb", std::string(1, '\0'), "\xFF"}));
}

TEST(CsvCells, MayStandInQuotes) {
  EXPECT_EQ(cells_of("\"a,b\",\"\",\"c \"\"d\"\"\""), (Cells{"a,b", "", "c \"d\""}));
  EXPECT_EQ(cells_of("\"\"\"\",x"), (Cells{"\"", "x"}));
  EXPECT_EQ(cells_of("\"a\nb\",c"), (Cells{"a\nb", "c"}));
  EXPECT_EQ(cells_of("\"a\",\"b\"", {',', false}), (Cells{"\"a\"", "\"b\""}));
}

TEST(CsvCells, HaveQuotesAsTextBehindTheirBeginning) {
  EXPECT_EQ(cells_of("5\" pipe,a\"b\",\"\"c\""), (Cells{"5\" pipe", "a\"b\"", unread}));
  EXPECT_EQ(cells_of(" \"a\",b"), (Cells{" \"a\"", "b"}));
}

TEST(CsvCells, AreNotReadFromQuotesThatDoNotClose) {
  EXPECT_EQ(cells_of("a,\"b,c"), (Cells{"a", unread}));
  EXPECT_EQ(cells_of("a,\"b\"c,d"), (Cells{"a", unread}));
  EXPECT_EQ(cells_of("a,\"b\" ,d"), (Cells{"a", unread}));
  EXPECT_EQ(cells_of("\""), (Cells{unread}));
  EXPECT_EQ(cells_of("\"\"\""), (Cells{unread}));
  EXPECT_EQ(cells_of("\"\"\"\"\""), (Cells{unread}));
  EXPECT_EQ(cells_of("a,\"b,c", {',', false}), (Cells{"a", "\"b", "c"}));
}

}  // namespace
}  // namespace vernier::engine
