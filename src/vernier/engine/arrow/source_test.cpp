#include <gtest/gtest.h>

#include "support/arrow_rows.hpp"
#include "support/tables.hpp"
#include "vernier/engine/engine.hpp"
#include "vernier/engine/source_columns.hpp"

// Which rows in memory go with which declarations; all of it is told before a row is looked at.
namespace vernier::engine {
namespace {

using query::SourceKind;
using query::Type;
using testing::arrow_dictionary;
using testing::arrow_integers;
using testing::arrow_table;
using testing::arrow_texts;
using testing::ArrowBatch;
using testing::ArrowColumnData;
using testing::column_of;

query::Catalog catalog_of(const std::vector<query::Column>& columns, SourceKind kind = SourceKind::arrow) {
  query::Table table;
  table.name = "people";
  table.source.kind = kind;
  if (kind != SourceKind::arrow) table.source.path = "people.csv";
  table.columns = columns;
  query::Catalog catalog = testing::people_catalog();
  catalog.tables = {table};
  return catalog;
}

std::string said(const query::Catalog& catalog, const MemoryTables& memory) {
  const Result<void> checked = check_source(catalog, catalog.tables.front(), memory);
  return checked ? "" : checked.error().sentence();
}

std::string said_of(const ArrowBatch& batch, Type type) {
  return said(catalog_of({column_of("x", type)}), {{"people", arrow_table({batch})}});
}

ArrowColumnData of_format(const std::string& format) {
  return {"x", format, 0, 0, 0, {std::nullopt, std::string(), std::string()}, {}};
}

const std::vector<Type> all_types = {Type::boolean, Type::integer, Type::real, Type::string, Type::date};

// What may become of a column by one odd value goes with every type.
const std::vector<std::string> taken = {"b", "c", "C", "s", "S", "i",  "I",   "l", "L",
                                        "e", "f", "g", "u", "U", "vu", "tdD", "n"};
const std::vector<std::string> refused = {
    "tdm", "tss:",  "tsn:", "tsu:Europe/Berlin", "ttu", "tDs", "tiM", "d:19,10", "z", "Z", "vz", "w:16", "+s", "+l",
    "+m",  "+ud:0", "?"};

std::size_t buffers_of(const std::string& format) {
  return format == "n" ? 0U : format == "u" || format == "U" || format == "vu" ? 3U : 2U;
}

void expect_all(const std::vector<std::string>& formats, bool are_taken) {
  for (const std::string& format : formats) {
    for (const Type type : all_types) {
      ArrowColumnData column = of_format(format);
      column.buffers.resize(buffers_of(format));
      EXPECT_EQ(said_of({column}, type).empty(), are_taken) << format << " as " << query::name_of(type);
      ArrowColumnData coded = arrow_dictionary("x", {}, column);
      EXPECT_EQ(said_of({coded}, type).empty(), are_taken) << "coded " << format << " as " << query::name_of(type);
    }
  }
}

TEST(ArrowSource, GoesWithEveryDeclaredTypeWhateverItsValuesAreInferredAs) {
  expect_all(taken, true);
  expect_all(refused, false);
}

TEST(ArrowSource, SaysWhatToDoAboutOtherTypes) {
  EXPECT_EQ(said_of({of_format("tsn:")}, Type::date),
            "the column 'x' is declared as date, but the rows of the table 'people' have it as a timestamp; cast it to "
            "date32");
  EXPECT_EQ(said_of({of_format("tsu:UTC")}, Type::date),
            "the column 'x' is declared as date, but the rows of the table 'people' have it as a timestamp with a time "
            "zone; take the day in the time zone that is meant, and cast it to date32");
  EXPECT_EQ(said_of({of_format("z")}, Type::string),
            "the column 'x' is declared as string, but the rows of the table 'people' have it as binary; cast it to "
            "string");
  EXPECT_EQ(said_of({of_format("+l")}, Type::real),
            "the column 'x' is declared as real, but the rows of the table 'people' have it as nested values; cast it "
            "to float64");
}

TEST(ArrowSource, HasTheDeclaredColumnsOnce) {
  const query::Catalog catalog = catalog_of({column_of("income", Type::integer), column_of("id", Type::integer)});
  const auto told = [&](const std::vector<std::string>& names) {
    ArrowBatch batch;
    for (const std::string& name : names) batch.push_back(arrow_integers(name, {1}));
    return said(catalog, {{"people", arrow_table({batch})}});
  };
  EXPECT_EQ(told({"ID", "other", "income", "other"}), "");
  EXPECT_EQ(told({"id", "incme"}),
            "the rows of the table 'people' have no column 'income', which the catalog declares; "
            "correct its name in the catalog, or leave it out there");
  EXPECT_EQ(told({"id", "income", "Id"}), "the rows of the table 'people' have two columns 'id'; rename one of them");
}

TEST(ArrowSource, ChecksTheLayoutOfDeclaredColumnsAlone) {
  ArrowColumnData broken = arrow_texts("x", {"a"});
  broken.buffers.pop_back();
  EXPECT_NE(said_of({broken}, Type::string).find("has not the buffers of its type"), std::string::npos);
  ArrowColumnData other = broken;
  other.name = "other";
  EXPECT_EQ(said_of({arrow_texts("x", {"a"}), other}, Type::string), "");
}

TEST(ArrowSource, IsGivenByTheProgram) {
  const query::Catalog catalog = catalog_of({column_of("x", Type::integer)});
  const std::string none =
      "no rows are given for the table 'people', which the catalog declares with format = \"arrow\": the program that "
      "has them in memory must release, as with the Python package; or write them to a file and name it in `source`";
  EXPECT_EQ(said(catalog, {}), none);
  EXPECT_EQ(said(catalog, {{"people", nullptr}}), none);
  EXPECT_EQ(said(catalog, {{"PEOPLE", arrow_table({{arrow_integers("x", {1})}})}}), "");
}

TEST(ArrowSource, BelongsToATableThatIsDeclaredSo) {
  const auto rows = arrow_table({{arrow_integers("x", {1})}});
  const auto told = [&](SourceKind kind, const MemoryTables& memory) {
    const Result<void> checked = check_memory(catalog_of({column_of("x", Type::integer)}, kind), memory);
    return checked ? "" : checked.error().sentence();
  };
  EXPECT_EQ(told(SourceKind::arrow, {{"people", rows}}), "");
  EXPECT_EQ(
      told(SourceKind::arrow, {{"peple", rows}}),
      "rows are given for the table 'peple', which the catalog does not declare (did you mean people?); declare it "
      "with format = \"arrow\", or leave them out");
  EXPECT_EQ(told(SourceKind::csv, {{"people", rows}}),
            "rows are given for the table 'people', but the catalog says that they stand in 'people.csv'; "
            "write format = \"arrow\" instead of its source, or leave them out");
  EXPECT_EQ(told(SourceKind::arrow, {{"people", rows}, {"People", rows}}),
            "rows are given twice for the table 'people'; give them once");
}

}  // namespace
}  // namespace vernier::engine
