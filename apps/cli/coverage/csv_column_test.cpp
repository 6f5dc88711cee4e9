#include "cli/coverage/csv_column.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

using Values = std::vector<double>;

std::string sentence(std::string_view text, std::string_view column) {
  const auto read = csv_column(text, column, "people.csv");
  return read ? "taken" : read.error().sentence(option_spelling);
}

TEST(CsvColumn, ReadsItsNumbers) {
  EXPECT_EQ(csv_column("a,b\n1,2\n3,4.5\n", "b", "f").value(), (Values{2, 4.5}));
  EXPECT_EQ(csv_column("a,b\r\n1,-2e3\r\n", "b", "f").value(), Values{-2000});
  EXPECT_EQ(csv_column("a\n7", "a", "f").value(), Values{7});
  EXPECT_EQ(csv_column("\xEF\xBB\xBF\"a\"\n7\n", "a", "f").value(), Values{7});
}

TEST(CsvColumn, ReadsQuotesWithCommasBreaksAndQuotes) {
  EXPECT_EQ(csv_column("\"a\"\"x\",b\n\"one, two\nthree \"\"4\"\"\",\"5\"\n", "b", "f").value(), Values{5});
  EXPECT_EQ(csv_column("\"a\"\"x\",b\n6,5\n", "a\"x", "f").value(), Values{6});
}

TEST(CsvColumn, LeavesEmptyCellsOut) {
  EXPECT_EQ(csv_column("a,b\n1,\n,3\n4\n\n5,6\n", "b", "f").value(), (Values{3, 6}));
}

TEST(CsvColumn, RefusesWhatHasNoNumbersInOneSentence) {
  EXPECT_EQ(sentence("", "a"), "the file 'people.csv' is empty; its first line must name the columns");
  EXPECT_EQ(sentence("age,educ\n1,2\n", "edu"),
            "the first line of the file 'people.csv' has no column 'edu'; correct --column, or begin the file with a "
            "line of column names");
  EXPECT_EQ(sentence("age,educ\n1,\n", "educ"), "the column 'educ' of 'people.csv' has no numbers");
  EXPECT_EQ(
      sentence("a\n1\nnorth\n", "a"),
      "row 2 of 'people.csv' has no number in the column 'a'; only columns of numbers have statistics that can be "
      "simulated");
}

}  // namespace
}  // namespace vernier::cli
