#include <gtest/gtest.h>

#include "support/data_folder.hpp"
#include "vernier/engine/duckdb/locked.hpp"
#include "vernier/query/quote.hpp"

// What an intruder would try who could write statements to the locked engine. Nobody can: this is the second wall.
namespace vernier::engine {
namespace {

using testing::DataFolder;

const std::string tables = R"([tables.t]
source = "t.csv"
unit = "row"
[tables.t.columns]
x = { type = "integer" }
[tables.p]
source = "p.parquet"
unit = "row"
[tables.p.columns]
x = { type = "integer" }
)";

// Whether the statement runs on an engine of its own, or on the locked one.
bool runs(duckdb_connection connection, const std::string& sql) {
  duckdb_result result{};
  const bool done = duckdb_query(connection, sql.c_str(), &result) == DuckDBSuccess;
  duckdb_destroy_result(&result);
  return done;
}

class OpenEngine {
 public:
  OpenEngine() {
    duckdb_open(nullptr, &database_);
    duckdb_connect(database_, &connection_);
  }
  OpenEngine(const OpenEngine&) = delete;
  OpenEngine& operator=(const OpenEngine&) = delete;
  ~OpenEngine() {
    duckdb_disconnect(&connection_);
    duckdb_close(&database_);
  }
  duckdb_connection connection() const { return connection_; }

 private:
  duckdb_database database_ = nullptr;
  duckdb_connection connection_ = nullptr;
};

struct Locked {
  Locked() {
    folder.write("t.csv", "x\n1\n2\n");
    folder.write("other.csv", "x\n3\n");
    folder.write("other.json", "{\"x\": 3}\n");
    EXPECT_TRUE(
        runs(OpenEngine().connection(), "COPY (SELECT 1 AS x) TO '" + path("p.parquet") + "' (FORMAT parquet)"));
    EXPECT_TRUE(
        runs(OpenEngine().connection(), "COPY (SELECT 1 AS x) TO '" + path("o.parquet") + "' (FORMAT parquet)"));
    const query::Catalog catalog = folder.catalog(tables);
    auto opened = LockedDuckDb::open(catalog, catalog.tables, {1, 500});
    EXPECT_TRUE(opened) << opened.error().sentence();
    engine = *std::move(opened);
  }
  std::string path(const std::string& name) const { return folder.path(name).string(); }

  DataFolder folder;
  std::unique_ptr<LockedDuckDb> engine;
};

std::vector<std::string> reads(const Locked& locked) {
  const std::string other = query::quoted_text(locked.path("other.csv"));
  const std::string parquet = query::quoted_text(locked.path("o.parquet"));
  const std::string folder = locked.folder.path("").string();
  return {
      "SELECT * FROM " + other,
      "SELECT * FROM read_csv(" + other + ")",
      "SELECT * FROM read_csv_auto(" + other + ")",
      "SELECT * FROM sniff_csv(" + other + ")",
      "SELECT * FROM read_text(" + other + ")",
      "SELECT * FROM read_blob(" + other + ")",
      "SELECT * FROM read_json('" + locked.path("other.json") + "')",
      "SELECT * FROM read_json_auto('" + locked.path("other.json") + "')",
      "SELECT * FROM read_ndjson('" + locked.path("other.json") + "')",
      "SELECT * FROM read_json_objects('" + locked.path("other.json") + "')",
      "SELECT * FROM " + parquet,
      "SELECT * FROM read_parquet(" + parquet + ")",
      "SELECT * FROM parquet_scan(" + parquet + ")",
      "SELECT * FROM parquet_schema(" + parquet + ")",
      "SELECT * FROM parquet_metadata(" + parquet + ")",
      "SELECT * FROM parquet_file_metadata(" + parquet + ")",
      "SELECT * FROM parquet_kv_metadata(" + parquet + ")",
      "SELECT * FROM glob('" + folder + "*')",
      "SELECT * FROM read_csv('" + folder + "*.csv')",
      "SELECT * FROM read_csv('" + folder + "x/../other.csv')",
      "SELECT * FROM read_csv(['" + locked.path("t.csv") + "', " + other + "])",
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "SELECT * FROM read_csv('/proc/self/environ')",
      "SELECT * FROM read_text('" + locked.path("t.csv") + "/../other.csv')",
      "COPY nothing FROM " + other,
      "IMPORT DATABASE '" + folder + "'",
  };
}

std::vector<std::string> writes(const Locked& locked) {
  const std::string out = query::quoted_text(locked.path("out"));
  return {
      "COPY (SELECT 1) TO " + out,
      "COPY (SELECT 1) TO " + out + " (FORMAT parquet)",
      "COPY (SELECT 1) TO " + out + " (FORMAT json)",
      "COPY (SELECT 1) TO '/dev/stdout'",
      "EXPORT DATABASE " + out,
      "ATTACH " + out,
      "ATTACH " + out + " AS o (TYPE sqlite)",
      "ATTACH 'postgresql://localhost/x' AS o (TYPE postgres)",
      "SELECT * FROM read_csv('https://example.org/x.csv')",
      "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
      "INSTALL httpfs",
      "INSTALL spatial FROM community",
      "FORCE INSTALL httpfs FROM 'http://example.org'",
      "LOAD httpfs",
      "LOAD '" + locked.path("evil.duckdb_extension") + "'",
      "UPDATE EXTENSIONS",
      "CREATE SECRET s (TYPE s3, KEY_ID 'x', SECRET 'y')",
      "CREATE PERSISTENT SECRET s (TYPE s3, KEY_ID 'x', SECRET 'y')",
  };
}

std::vector<std::string> settings() {
  return {
      "SET enable_external_access = true",
      "SET GLOBAL enable_external_access = true",
      "RESET enable_external_access",
      "SET lock_configuration = false",
      "RESET lock_configuration",
      "SET allowed_paths = ['/etc/passwd']",
      "SET allowed_directories = ['/']",
      "SET allow_unsigned_extensions = true",
      "SET allow_community_extensions = true",
      "SET autoload_known_extensions = true",
      "SET autoinstall_known_extensions = true",
      "SET custom_extension_repository = 'http://example.org'",
      "SET extension_directory = '/tmp'",
      "SET secret_directory = '/tmp'",
      "SET temp_directory = '/tmp'",
      "SET home_directory = '/'",
      "SET memory_limit = '100GB'",
      "SET threads = 100",
      "SET TimeZone = 'Europe/Berlin'",
      "SET enable_progress_bar_print = true",
      "SET log_query_path = '/tmp/log'",
      "SET profiling_output = '/tmp/profile'",
      "PRAGMA enable_external_access = true",
      "PRAGMA threads = 100",
  };
}

TEST(DuckDbLockdown, LetsNoStatementEscape) {
  const Locked locked;
  std::size_t tried = 0;
  for (const auto& list : {reads(locked), writes(locked), settings()}) {
    for (const std::string& sql : list) {
      EXPECT_FALSE(runs(locked.engine->connection(), sql)) << sql;
      ++tried;
    }
  }
  EXPECT_GE(tried, 60U);
}

// A statement that fails on every engine proves nothing: most of those about files and settings run on an open one.
TEST(DuckDbLockdown, IsWhatStopsThem) {
  const Locked locked;
  std::size_t open = 0;
  for (const auto& list : {reads(locked), settings()}) {
    const OpenEngine engine;
    for (const std::string& sql : list) open += runs(engine.connection(), sql) ? 1U : 0U;
  }
  EXPECT_GE(open, 35U);
}

TEST(DuckDbLockdown, ReadsTheDeclaredFiles) {
  const Locked locked;
  EXPECT_TRUE(runs(locked.engine->connection(), "SELECT x FROM \"table t\""));
  EXPECT_TRUE(runs(locked.engine->connection(), "SELECT x FROM \"table p\""));
}

// A declared CSV file is read by the function of its table alone.
TEST(DuckDbLockdown, ReadsNoCsvFileByFunctionsOfTheEngine) {
  const Locked locked;
  for (const char* const function : {"read_csv", "read_text", "read_blob"}) {
    const std::string sql = std::string("SELECT * FROM ") + function + "('" + locked.path("t.csv") + "')";
    EXPECT_FALSE(runs(locked.engine->connection(), sql)) << sql;
    EXPECT_TRUE(runs(OpenEngine().connection(), sql)) << sql;
  }
}

const std::string open_table = R"([tables.open]
source = "other.csv"
public = true
[tables.open.columns]
x = { type = "integer" }
[tables.listed]
source = "o.parquet"
public = true
[tables.listed.columns]
x = { type = "integer" }
)";

// A catalog that was right when it was read.
TEST(DuckDbLockdown, OpensNoProtectedFileAsAPublicOne) {
  namespace fs = std::filesystem;
  const Locked locked;
  const query::Catalog catalog = locked.folder.catalog(tables + open_table);
  const auto said = [&](std::size_t table) {
    const auto opened = LockedDuckDb::open(catalog, {catalog.public_tables[table]}, {1, 500});
    return opened ? std::string() : opened.error().sentence();
  };
  EXPECT_EQ(said(0) + said(1), "");
  fs::remove(locked.path("other.csv"));
  fs::remove(locked.path("o.parquet"));
  fs::create_hard_link(locked.path("t.csv"), locked.path("other.csv"));
  fs::create_symlink("p.parquet", locked.path("o.parquet"));
  EXPECT_EQ(said(0),
            "the table 'open' is public and has the file of the protected table 't'; name another file in the catalog, "
            "or leave out public = true there");
  EXPECT_EQ(said(1),
            "the table 'listed' is public and has the file of the protected table 'p'; name another file in the "
            "catalog, or leave out public = true there");
}

// What memory does not hold goes to a folder that is gone with the engine.
TEST(DuckDbLockdown, SpillsToAFolderOfItsOwn) {
  std::string ours;
  {
    const Locked locked;
    duckdb_result result{};
    ASSERT_EQ(duckdb_query(locked.engine->connection(), "SELECT current_setting('temp_directory')", &result),
              DuckDBSuccess);
    char* const text = duckdb_value_varchar(&result, 0, 0);
    ours = text;
    duckdb_free(text);
    duckdb_destroy_result(&result);
    EXPECT_TRUE(std::filesystem::is_directory(ours));
    EXPECT_EQ(std::filesystem::status(ours).permissions(), std::filesystem::perms::owner_all);
  }
  EXPECT_FALSE(std::filesystem::exists(ours));
}

}  // namespace
}  // namespace vernier::engine
