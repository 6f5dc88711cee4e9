#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "vernier/engine/parquet_schema.hpp"
#include "vernier/query/quote.hpp"

// Parquet files as an engine writes them: which stored types go with which declared ones, and what is read.
namespace vernier::engine {
namespace {

using testing::DataFolder;

void write(const DataFolder& folder, const std::string& columns) {
  testing::DuckDbSession engine;
  const std::string path = query::quoted_text(folder.path("t.parquet").string());
  ASSERT_TRUE(engine.run("COPY (SELECT " + columns + ") TO " + path + " (FORMAT parquet)")) << engine.error();
}

std::string table_of(const std::string& type) {
  return "[tables.t]\nsource = \"t.parquet\"\nunit = \"row\"\nrow_limit = 1000\n[tables.t.columns]\nx = { type = \"" +
         type + "\" }\n";
}

std::string said(const DataFolder& folder, const std::string& type) {
  const query::Catalog catalog = folder.catalog(table_of(type));
  const Result<void> checked = check_source(catalog, catalog.tables.front());
  return checked ? std::string() : checked.error().sentence;
}

struct Stored {
  std::string value;
  std::string type;                   // as the schema tells it
  std::vector<std::string> declared;  // types that go with it
};

const std::vector<Stored> all_stored = {
    {"TRUE", "boolean", {"boolean"}},
    {"1::TINYINT", "integer", {"integer", "real"}},
    {"1::SMALLINT", "integer", {"integer", "real"}},
    {"1::INTEGER", "integer", {"integer", "real"}},
    {"1::BIGINT", "integer", {"integer", "real"}},
    {"1::UINTEGER", "integer", {"integer", "real"}},
    {"1::UBIGINT", "integer", {"integer", "real"}},
    {"1::FLOAT", "real", {"real"}},
    {"1::DOUBLE", "real", {"real"}},
    {"1.5::DECIMAL(9, 2)", "decimal", {"real"}},
    {"1.5::DECIMAL(38, 2)", "decimal", {"real"}},
    {"'x'", "string", {"string"}},
    {"'x'::ENUM('x', 'y')", "string", {"string"}},
    {"'123e4567-e89b-12d3-a456-426614174000'::UUID", "uuid", {"string"}},
    {"DATE '2020-01-01'", "date", {"date"}},
    {"TIMESTAMP '2020-01-01 00:00:00'", "timestamp", {}},
    {"TIME '00:00:00'", "time", {}},
    {"'x'::BLOB", "binary", {}},
};

TEST(DuckDbParquet, IsReadWhereStoredAndDeclaredTypesAgree) {
  for (const Stored& stored : all_stored) {
    const DataFolder folder;
    write(folder, stored.value + " AS x");
    EXPECT_EQ(parquet_columns(folder.path("t.parquet").string())->front().type, stored.type) << stored.value;
    for (const std::string type : {"boolean", "integer", "real", "string", "date"}) {
      const bool agree = std::find(stored.declared.begin(), stored.declared.end(), type) != stored.declared.end();
      EXPECT_EQ(said(folder, type).empty(), agree) << stored.value << " as " << type;
      if (!agree) continue;
      const auto session = testing::session_of(folder.catalog(table_of(type)));
      const auto statistic = testing::statistic_of("SELECT COUNT(x) AS n FROM t", "", table_of(type));
      const auto groups = testing::groups_of(*session, plan::render(statistic, plan::BoundingForm::rows));
      EXPECT_EQ(groups.front().tallies.front(), 1) << stored.value << " as " << type;
    }
  }
}

TEST(DuckDbParquet, OfAnotherTypeIsRefusedBeforeItIsRead) {
  const DataFolder folder;
  write(folder, "'x' AS x");
  const std::string sentence = said(folder, "integer");
  EXPECT_NE(sentence.find("'x' is declared as integer"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("stores it as string"), std::string::npos) << sentence;
}

TEST(DuckDbParquet, HasTheDeclaredColumns) {
  const DataFolder folder;
  write(folder, "1 AS xx, {'x': 1} AS y, [1] AS z");
  EXPECT_NE(said(folder, "integer").find("has no column 'x', which the catalog declares"), std::string::npos);
  folder.write("t.parquet", "PAR1 and nothing more");
  EXPECT_NE(said(folder, "integer").find("cannot be read"), std::string::npos);
}

// 2^63 and more has no place among 64-bit integers.
TEST(DuckDbParquet, ReadsWhatTheDeclaredTypeCannotHoldAsNull) {
  const DataFolder folder;
  write(folder, "unnest([1::UBIGINT, 18446744073709551615::UBIGINT, NULL]) AS x");
  const auto session = testing::session_of(folder.catalog(table_of("integer")));
  const auto statistic = testing::statistic_of("SELECT COUNT(x) AS n, COUNT(*) AS r FROM t", "", table_of("integer"));
  const auto groups = testing::groups_of(*session, plan::render(statistic, plan::BoundingForm::rows));
  EXPECT_EQ(groups.front().tallies, (std::vector<std::int64_t>{1, 3}));
}

}  // namespace
}  // namespace vernier::engine
