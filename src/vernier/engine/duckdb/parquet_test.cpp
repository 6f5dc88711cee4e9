#include <array>

#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "support/duckdb_session.hpp"
#include "vernier/engine/duckdb/locked.hpp"
#include "vernier/engine/parquet/schema.hpp"
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
  return checked ? std::string() : checked.error().sentence();
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
    {"1::FLOAT", "real", {"integer", "real"}},
    {"1::DOUBLE", "real", {"integer", "real"}},
    {"2::DECIMAL(9, 2)", "decimal", {"integer", "real"}},
    {"2::DECIMAL(38, 2)", "decimal", {"integer", "real"}},
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

// Columns of every type with NULLs among them, texts with and without a dictionary, and columns that are left out.
const std::vector<std::array<std::string, 3>> written_columns = {
    {"id", "integer", "i"},
    {"b", "boolean", "i % 3 = 0"},
    {"i8", "integer", "(i % 256 - 128)::TINYINT"},
    {"u16", "integer", "(i * 13 % 65536)::USMALLINT"},
    {"u32", "integer", "(4294967295 - i)::UINTEGER"},
    {"u64", "integer", "(i * 1000000007)::UBIGINT"},
    {"f", "real", "(i / 7)::FLOAT"},
    {"d", "real", "sin(i)"},
    {"p4", "real", "(i % 9000 / 100)::DECIMAL(4, 2)"},
    {"p18", "real", "(i * 1.5)::DECIMAL(18, 6)"},
    {"p38", "real", "(i * -3)::DECIMAL(38, 10)"},
    {"few", "string", "'größe ' || (i % 17)"},
    {"many", "string", "'a text of its own for ' || i"},
    {"e", "string", "(CASE WHEN i % 2 = 0 THEN 'x' ELSE 'y' END)::ENUM('x', 'y')"},
    {"u", "string", "md5(i::VARCHAR)::UUID"},
    {"day", "date", "DATE '1900-01-01' + (i * 7)::INTEGER"},
};

std::string all_cells(const std::string& rows) {
  std::string texts;
  for (const auto& [name, type, value] : written_columns) {
    const std::string cell = type == "real" ? "CAST(" + name + " AS DOUBLE)" : name;
    texts += (texts.empty() ? "" : " || ',' || ") + ("COALESCE(CAST(" + cell + " AS VARCHAR), '-')");
  }
  return "SELECT COUNT(*), md5(string_agg(" + texts + ", ';' ORDER BY " + texts + ")) FROM " + rows;
}

// Files as a writer of tables writes them: what is read is what the engine reads by itself.
TEST(DuckDbParquet, IsReadAsItWasWritten) {
  std::string values = "[i] AS list, {'x': i} AS pair, TIMESTAMP '2020-01-01' AS moment";
  std::string tables = "[tables.t]\nsource = \"t.parquet\"\nunit = \"row\"\nrow_limit = 1000000\n[tables.t.columns]\n";
  for (const auto& [name, type, value] : written_columns) {
    values += ", CASE WHEN hash(i, '" + name + "') % 5 > 0 THEN " + value + " END AS " + name;
    tables += name + " = { type = \"" + type + "\" }\n";
  }
  for (const std::string how : {"uncompressed", "snappy", "zstd, PARQUET_VERSION v2", "gzip", "lz4_raw", "brotli"}) {
    const DataFolder folder;
    const std::string path = query::quoted_text(folder.path("t.parquet").string());
    testing::DuckDbSession engine;
    ASSERT_TRUE(engine.run("COPY (SELECT " + values + " FROM range(10000) AS r(i)) TO " + path +
                           " (FORMAT parquet, ROW_GROUP_SIZE 3000, COMPRESSION " + how + ")"))
        << engine.error();
    const auto expected = engine.run(all_cells(path));
    ASSERT_TRUE(expected) << engine.error();
    const query::Catalog catalog = folder.catalog(tables);
    const auto locked = LockedDuckDb::open(catalog, catalog.tables, {2, 0});
    ASSERT_TRUE(locked) << locked.error().sentence();
    duckdb_result result{};
    const std::string sql = all_cells(plan::view_name(catalog.tables.front()));
    ASSERT_EQ(duckdb_query((*locked)->connection(), sql.c_str(), &result), DuckDBSuccess)
        << duckdb_result_error(&result);
    char* const hash = duckdb_value_varchar(&result, 1, 0);
    EXPECT_EQ(hash, expected->at(1)) << how;
    duckdb_free(hash);
    duckdb_destroy_result(&result);
  }
}

}  // namespace
}  // namespace vernier::engine
