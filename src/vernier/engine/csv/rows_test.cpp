#include "vernier/engine/csv/rows.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"

namespace vernier::engine {
namespace {

using Rows = std::vector<std::string>;

std::shared_ptr<const CsvFile> file_of(const std::string& content, const CsvFormat& format = {}) {
  const std::string path = testing::own_folder() + "csv_rows_test.csv";
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  return CsvFile::open(path, format).value();
}

// Stretch by stretch of this length.
Rows rows_of(const CsvFile& file, std::int64_t stretch = std::int64_t{1} << 40) {
  Rows rows;
  CsvRows reader(file);
  std::string_view row;
  for (std::int64_t first = file.first_row(); first < file.end(); first += stretch) {
    reader.begin(first, std::min(first + stretch, file.end()));
    while (reader.next(row)) rows.emplace_back(row);
  }
  EXPECT_FALSE(reader.has_failed());
  return rows;
}

Rows rows_of(const std::string& content, const CsvFormat& format = {}) { return rows_of(*file_of(content, format)); }

const CsvFormat with_breaks{',', true, true};

TEST(CsvRows, AreTheLinesBehindTheHeader) {
  EXPECT_EQ(rows_of("a\n1\n2\n"), (Rows{"1", "2"}));
  EXPECT_EQ(rows_of("a\n1\n2"), (Rows{"1", "2"}));
  EXPECT_EQ(rows_of("a\r\n1\r\n2\r\n"), (Rows{"1", "2"}));
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a\n\xEF\xBB\xBF"
                    "1\n"),
            (Rows{"\xEF\xBB\xBF"
                  "1"}));
  EXPECT_EQ(rows_of("a\n"), Rows());
  EXPECT_EQ(rows_of("a"), Rows());
}

TEST(CsvRows, AreEmptyLinesToo) {
  EXPECT_EQ(rows_of("a\n\n\r\n1\n\n"), (Rows{"", "", "1", ""}));
  EXPECT_EQ(rows_of("a\n\n"), (Rows{""}));
}

TEST(CsvRows, EndAtLineFeedsAlone) {
  EXPECT_EQ(rows_of("a\n1\r2\r\r\n\r3\n4\r"), (Rows{"1\r2\r", "\r3", "4"}));
  EXPECT_EQ(rows_of("a\n1,\"x\ny\"\n"), (Rows{"1,\"x", "y\""}));
  EXPECT_EQ(rows_of(std::string("a\n\0\n\v\f\x1A\n\xE2\x80\xA8\n", 11)),
            (Rows{std::string(1, '\0'), "\v\f\x1A", "\xE2\x80\xA8"}));
}

TEST(CsvRows, MayHaveLineBreaksInQuotesWhereThatIsDeclared) {
  EXPECT_EQ(rows_of("a\n1,\"x\ny\"\n2\n", with_breaks), (Rows{"1,\"x\ny\"", "2"}));
  EXPECT_EQ(rows_of("a\n\"x\n\"\"\r\n\",\"\n\"\r\n2\n", with_breaks), (Rows{"\"x\n\"\"\r\n\",\"\n\"", "2"}));
  EXPECT_EQ(rows_of("a\n5\" pipe\n \"x\n\n2", with_breaks), (Rows{"5\" pipe", " \"x", "", "2"}));
  EXPECT_EQ(rows_of("a\n\"x\"y\n\"x\"\r\"\n2\n", with_breaks), (Rows{"\"x\"y", "\"x\"\r\"", "2"}));
  EXPECT_EQ(rows_of("a\n1,\"x\n2\n3\n", with_breaks), (Rows{"1,\"x\n2\n3\n"}));
}

// Who finds the end of a row and who cuts it into cells agree on where quotes close: a line break stands in a cell
// whose quotes were opened, and nothing is lost between rows.
TEST(CsvRows, HaveLineBreaksInCellsWithQuotesAlone) {
  std::mt19937_64 bits(7);
  for (int round = 0; round < 1000; ++round) {
    std::string lines;
    for (int i = 0; i < 60; ++i) lines += std::string_view("\",\nx")[bits() % 4];
    std::string joined;
    for (const std::string& row : rows_of("a\n" + lines, with_breaks)) {
      joined += row + "\n";
      std::string_view left = row;
      while (has_cell(left)) {
        const bool has_quotes = left.starts_with('"');
        const std::string_view cell = take_cell(left, with_breaks).text;
        EXPECT_TRUE(has_quotes || cell.find('\n') == std::string_view::npos) << row;
      }
    }
    EXPECT_EQ(joined, lines.ends_with('\n') && joined.size() == lines.size() ? lines : lines + "\n");
  }
}

// Whatever the bytes, wherever a stretch ends.
TEST(CsvRows, AreTheSameInAnyStretches) {
  std::mt19937_64 bits(11);
  for (int round = 0; round < 200; ++round) {
    std::string content = "a\n";
    for (std::uint64_t i = bits() % 300; i > 0; --i)
      content += bits() % 4 == 0 ? std::string_view("\n\r\",")[bits() % 4] : static_cast<char>(bits());
    const auto file = file_of(content);
    const Rows rows = rows_of(*file);
    const std::string_view lines = std::string_view(content).substr(2);
    EXPECT_EQ(static_cast<std::ptrdiff_t>(rows.size()),
              std::count(lines.begin(), lines.end(), '\n') + (lines.empty() || lines.ends_with('\n') ? 0 : 1));
    for (const std::int64_t stretch : {1, 2, 3, 7, 64, 301}) EXPECT_EQ(rows_of(*file, stretch), rows) << stretch;
  }
}

TEST(CsvRows, AreEmptyWhereTheyAreTooLong) {
  const std::string longest(longest_row, 'x');
  for (const CsvFormat& format : {CsvFormat(), with_breaks}) {
    const auto file = file_of("a\n1\n" + longest + "\r\n" + longest + "x\n2\n" + longest + longest + "\n3\n", format);
    const Rows rows = rows_of(*file);
    ASSERT_EQ(rows.size(), 6U);
    EXPECT_EQ(rows[1].size(), longest_row);
    EXPECT_EQ((Rows{rows[0], rows[2], rows[3], rows[4], rows[5]}), (Rows{"1", "", "2", "", "3"}));
    if (format.line_breaks) continue;
    EXPECT_EQ(rows_of(*file, 1 << 20), rows);
  }
  EXPECT_EQ(rows_of("a\n\"" + longest + "\n\"\n1\n", with_breaks), (Rows{"", "1"}));
  EXPECT_EQ(rows_of("a\n1\n" + longest + "x"), (Rows{"1", ""}));
}

TEST(CsvRows, FailWhereTheFileBecameShorter) {
  const auto file = file_of("a\n" + std::string(1 << 20, '\n'));
  std::filesystem::resize_file(testing::own_folder() + "csv_rows_test.csv", 1 << 19);
  CsvRows reader(*file);
  reader.begin(file->first_row(), file->end());
  std::string_view row;
  while (reader.next(row)) {
  }
  EXPECT_TRUE(reader.has_failed());
}

// It is the file that was opened, and as long as it was then.
TEST(CsvRows, AreThoseOfTheFileThatWasOpened) {
  const auto file = file_of("a\n1\n2\n");
  const std::string path = testing::own_folder() + "csv_rows_test.csv";
  std::ofstream(path, std::ios::binary | std::ios::app) << "3\n";
  EXPECT_EQ(rows_of(*file), (Rows{"1", "2"}));
  std::filesystem::rename(path, path + ".old");
  std::ofstream(path, std::ios::binary) << "a\n7\n8\n";
  EXPECT_EQ(rows_of(*file), (Rows{"1", "2"}));
  EXPECT_EQ(file->identity(), identity_of(std::filesystem::path(path + ".old")));
  EXPECT_NE(file->identity(), identity_of(std::filesystem::path(path)));
}

}  // namespace
}  // namespace vernier::engine
