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
  EXPECT_EQ(source_columns(catalog, catalog.tables.front())->places, (std::vector<std::size_t>{2, 1}));
}

TEST(SourceColumns, MustBeThere) { expect_says(said("id,incme\n"), "source_test.csv' has no column 'income'"); }

// What a file says of itself may be data: a first line that is none, or a second one where lines end with CR.
TEST(SourceColumns, AreToldInTheWordsOfTheCatalogAlone) {
  for (const std::string header : {"id,incme\n", "id,Income1\n", "id\n", "id,income1,income2\n"}) {
    EXPECT_EQ(said(header), "the file '" + testing::own_folder() +
                                "source_test.csv' has no column 'income', which the catalog declares; correct its name "
                                "in the catalog, or leave it out there");
  }
  for (const std::string header : {"", "7,incomes\n", "idd;incomes\n", "id;income\n", "\n", "\xFF,\xFE\n"}) {
    EXPECT_EQ(said(header), "the first line of the file '" + testing::own_folder() +
                                "source_test.csv' has none of the columns that the catalog declares; begin the file "
                                "with a line of their names, with \",\" between them, or correct `delimiter` in the "
                                "catalog");
  }
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
  }
}

}  // namespace
}  // namespace vernier::engine
