#include "vernier/query/cell_format.hpp"

#include <gtest/gtest.h>

#include "vernier/query/catalog.hpp"

namespace vernier::query {
namespace {

// A catalog with these lines for the table and for its one column.
Reading<Catalog> catalog(const std::string& of_table, const std::string& column, const std::string& file = "t.csv") {
  return examine_catalog_text("c.toml", "[budget]\nepsilon = 1\n[tables.t]\nsource = \"" + file +
                                            "\"\nunit = \"row\"\n" + of_table + "\n[tables.t.columns]\nx = { " +
                                            column + " }\n");
}

CellFormat format(const std::string& of_table, const std::string& column) {
  const Reading<Catalog> reading = catalog(of_table, column);
  EXPECT_TRUE(reading.content) << (reading.problems.empty() ? "" : reading.problems.front().sentence());
  return reading.content ? reading.content->tables.front().columns.front().format : CellFormat();
}

std::string problem(const std::string& of_table, const std::string& column, const std::string& file = "t.csv") {
  const Reading<Catalog> reading = catalog(of_table, column, file);
  return reading.problems.empty() ? "" : reading.problems.front().sentence();
}

TEST(CellFormat, IsDeclaredByColumnOrForAllOfATable) {
  EXPECT_TRUE(format("", "type = \"real\"").is_usual());
  EXPECT_EQ(format("", "type = \"real\", decimal_mark = \",\"").decimal_mark, ',');
  EXPECT_EQ(format("decimal_mark = \",\"\nthousands = \".\"", "type = \"real\"").thousands, ".");
  EXPECT_EQ(format("date_format = \"%d.%m.%Y\"", "type = \"date\", date_format = \"%Y/%m/%d\"").date_format,
            "%Y/%m/%d");
  const CellFormat words = format("", "type = \"boolean\", true_words = [\"Yes\"], false_words = [\"no\", \"N\"]");
  EXPECT_EQ(words.true_words, std::vector<std::string>{"yes"});
  EXPECT_EQ(words.false_words, (std::vector<std::string>{"no", "n"}));
}

TEST(CellFormat, HasCodesForMissingAsTextsAndValues) {
  const CellFormat whole = format("missing = [\"NA\", -9, 99.5]", "type = \"integer\"");
  EXPECT_EQ(whole.missing_texts, std::vector<std::string>{"NA"});
  EXPECT_EQ(whole.missing_values, std::vector<Value>{std::int64_t{-9}});
  EXPECT_EQ(format("", "type = \"real\", missing = [-9, 99.5]").missing_values, (std::vector<Value>{-9.0, 99.5}));
  EXPECT_EQ(format("", "type = \"string\", missing = [\"?\"]").missing_values, std::vector<Value>{std::string("?")});
  EXPECT_EQ(format("missing = [\"NA\"]", "type = \"string\", missing = [\"?\"]").missing_texts,
            std::vector<std::string>{"?"});
}

TEST(CellFormat, IsRefusedWhereItSaysNothing) {
  EXPECT_EQ(problem("", "type = \"string\", decimal_mark = \",\""),
            "decimal_mark of the column 'x' is for numbers, but the column is of type string; leave it out");
  EXPECT_EQ(problem("", "type = \"real\", thousands = \".\""),
            "thousands of the column 'x' is the decimal mark too, so that nothing tells 1.500 from 1,500; write "
            "decimal_mark = \",\", or leave thousands out");
  EXPECT_EQ(problem("", "type = \"date\", date_format = \"%d.%m\""),
            "date_format of the column 'x' must have one year, %Y or %y, but it is '%d.%m'; write for example "
            "\"%d.%m.%Y\"");
  EXPECT_EQ(problem("", "type = \"date\", date_format = \"%d.%m.%Y %p\""),
            "date_format of the column 'x' must have only %Y, %y, %m, %b, %d, %H, %M, %S and %f behind a %, but it is "
            "'%d.%m.%Y %p'; write for example \"%d.%m.%Y\"");
  EXPECT_EQ(problem("", "type = \"boolean\", true_words = [\"y\"], false_words = [\"Y\"]"),
            "true_words of the column 'x' and false_words both have 'y'; leave it out of one of them");
  EXPECT_EQ(problem("", "type = \"integer\", missing = [1.5]"),
            "missing of the column 'x' must be texts or values of type integer, but one is the number 1.5");
  EXPECT_EQ(problem("trim = true", "type = \"string\"", "t.parquet"),
            "trim of the table 't' says how the cells of CSV are written, but the source is Parquet; leave it out");
}

TEST(CellFormat, TellsFormatsOfDaysFromOthers) {
  for (const char* const good : {"%d.%m.%Y", "%Y%m%d", "%b %d, %y", "%Y-%m-%dT%H:%M:%S.%f"})
    EXPECT_FALSE(fault_of_date_format(good)) << good;
  for (const char* const bad : {"", "%", "%Y-%m-%d%", "%Y-%m", "%d.%m.%Y.%y", "%D", "%%Y"})
    EXPECT_TRUE(fault_of_date_format(bad)) << bad;
}

}  // namespace
}  // namespace vernier::query
