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
  return checked ? std::string() : checked.error().sentence;
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

TEST(SourceColumns, MustBeThere) {
  expect_says(said("id,incme\n"), "source_test.csv' has no column 'income'");
  expect_says(said("id,incme\n"), "did you mean incme?");
  expect_says(said(""), "has no column 'id'");
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
