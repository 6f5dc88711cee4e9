#include "vernier/engine/source_columns.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/own_folder.hpp"
#include "support/tables.hpp"
#include "vernier/engine/engine.hpp"

namespace vernier::engine {
namespace {

using query::Type;
using testing::column_of;

query::Catalog catalog_of(const std::string& file) {
  query::Table table;
  table.name = "t";
  table.source.path = file;
  table.columns = {column_of("id", Type::integer), column_of("income", Type::real)};
  query::Catalog catalog = testing::people_catalog();
  catalog.path = testing::own_folder() + "catalog.toml";
  catalog.tables = {table};
  return catalog;
}

std::string said_of(const std::string& file) {
  const query::Catalog catalog = catalog_of(file);
  const Result<void> checked = check_source(catalog, catalog.tables.front());
  return checked ? std::string() : checked.error().sentence();
}

std::string said(const std::string& header) {
  std::ofstream(testing::own_folder() + "source_test.csv", std::ios::binary) << header;
  return said_of("source_test.csv");
}

void expect_says(const std::string& sentence, const std::string& part) {
  EXPECT_NE(sentence.find(part), std::string::npos) << sentence;
}

TEST(SourceColumns, AreFoundWhereverTheyStand) {
  EXPECT_EQ(said("other,INCOME,id,other\n1,2,3\n"), "");
  const query::Catalog catalog = catalog_of("source_test.csv");
  EXPECT_EQ(source_columns(catalog, catalog.tables.front())->files.front().places, (std::vector<std::size_t>{2, 1}));
}

TEST(SourceColumns, MustBeThere) { expect_says(said("id,incme\n"), "source_test.csv' has no column 'income'"); }

// What a file says of itself may be data: a first line that is none, or a second one where lines end with CR.
TEST(SourceColumns, AreToldInTheWordsOfTheCatalogAlone) {
  for (const std::string header : {"id,incme\n", "id,Income1\n", "id\n", "id,income1,income2\n"}) {
    EXPECT_EQ(said(header), "the file '" + testing::own_folder() +
                                "source_test.csv' has no column 'income', which the catalog declares; correct its name "
                                "in the catalog, or leave it out there");
  }
  for (const std::string header : {"7,incomes\n", "idd;incomes\n", "id;income\n", "\xFF,\xFE\n"}) {
    EXPECT_EQ(said(header), "the first line of the file '" + testing::own_folder() +
                                "source_test.csv' has none of the columns that the catalog declares; begin the file "
                                "with a line of their names, with \",\" between them, or correct `delimiter` in the "
                                "catalog");
  }
  for (const std::string header : {"", "\n"})
    expect_says(said(header), "source_test.csv' is empty, where the names of the columns stand");
  for (const std::string header : {"id,income\r1,incomes\r2,3\r", "id,income\r\r\n1,2\n", "id,\"in\rcome\"\n"}) {
    EXPECT_EQ(said(header), "the first line of the file '" + testing::own_folder() +
                                "source_test.csv' has a carriage return (CR) that no line feed (LF) follows; write the "
                                "file with lines that end with LF or CR LF");
  }
  EXPECT_EQ(said("id,income\r\n1,2\r\n"), "");
}

TEST(SourceColumns, MustBeThereOnce) { expect_says(said("id,income,Id\n"), "has two columns 'id'"); }

TEST(SourceColumns, AreThoseOfOneFile) {
  expect_says(said_of("no_such.csv"), "no_such.csv' is not there");
  std::filesystem::create_directory(testing::own_folder() + "folder.csv");
  expect_says(said_of("folder.csv"), "folder.csv' is a folder");
}

TEST(SourceColumns, NeedAFileWithoutPatternsInItsName) {
  for (const std::string& name : std::vector<std::string>{"a*.csv", "a?.csv", "a[1].csv"}) {
    std::ofstream(testing::own_folder() + name) << "id,income\n";
    expect_says(said_of(name), "has one of *, ? and [ in its path");
    std::filesystem::remove(testing::own_folder() + name);
  }
}

void write(const std::string& name, const std::string& content) {
  std::ofstream(testing::own_folder() + name, std::ios::binary) << content;
}

TEST(SourceColumns, AreThoseOfEveryFileOfAPattern) {
  write("part-2.csv", "income,id\n");
  write("part-1.csv", "id,income\n");
  write("part-30.csv", "id,income,more\n");
  const query::Catalog catalog = catalog_of("part-?.csv\npart-30.csv");
  const auto found = source_columns(catalog, catalog.tables.front());
  ASSERT_TRUE(found) << found.error().sentence();
  ASSERT_EQ(found->files.size(), 3U);
  EXPECT_EQ(found->files[0].path.filename(), "part-1.csv");
  EXPECT_EQ(found->files[1].places, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(found->files[2].path.filename(), "part-30.csv");
  expect_says(said_of("none-*.csv"), "no file has a name such as 'none-*.csv'");
  write("part-4.csv", "id\n");
  expect_says(said_of("part-*.csv"), "part-4.csv' has no column 'income'");
}

// Each row of it would count twice.
TEST(SourceColumns, AreOfNoFileTwice) {
  write("once.csv", "id,income\n");
  std::error_code ignored;
  std::filesystem::create_symlink("once.csv", testing::own_folder() + "once-more.csv", ignored);
  for (const std::string& names : std::vector<std::string>{"once.csv\nonce.csv", "once*.csv", "./once.csv\nonce.csv"})
    expect_says(said_of(names), "are one file, whose rows the table 't' would have twice");
}

TEST(SourceColumns, OfJsonAreNotLookedFor) {
  write("lines.jsonl", "\xFF\xFE no object\r");
  EXPECT_EQ(said_of("lines.jsonl"), "");
}

}  // namespace
}  // namespace vernier::engine
