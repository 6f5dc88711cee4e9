#include "vernier/ledger/sqlite/schema.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "support/store_contract.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::ledger {
namespace {

using testing::TemporaryFolder;

// Whoever writes sqlite_schema itself can give an object a name that SQLite keeps for its own.
void write_schema(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  ASSERT_EQ(sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0, nullptr), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(handle, ("PRAGMA writable_schema = ON; " + sql).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
      << sqlite3_errmsg(handle);
  sqlite3_close(handle);
}

const char* const rename_trigger =
    "UPDATE sqlite_schema SET name = 'sqlite_t', sql = replace(sql, 'TRIGGER t ', 'TRIGGER sqlite_t ') "
    "WHERE name = 't'; PRAGMA schema_version = 1000";

TEST(SqliteSchema, TakesExactlyTheObjectsThatItMadeWhateverTheirNames) {
  const TemporaryFolder folder;
  const std::string ignore = "CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END; ";
  for (const std::string& added :
       {ignore + rename_trigger, std::string("ANALYZE"), std::string("CREATE VIEW v AS SELECT 1"),
        std::string("CREATE INDEX i ON entries (release)"), std::string("CREATE TABLE t (a)"),
        std::string(
            "UPDATE sqlite_schema SET sql = sql || ' ' WHERE name = 'entries_stay'; PRAGMA schema_version = 9")}) {
    const std::filesystem::path path = folder.path() / "ledger";
    ASSERT_TRUE(open_sqlite(path, Missing::is_made));
    EXPECT_TRUE(open_sqlite(path, Missing::is_error));
    write_schema(path, added);
    const auto refused = open_sqlite(path, Missing::is_error);
    ASSERT_FALSE(refused) << added;
    EXPECT_NE(refused.error().sentence().find("or has others"), std::string::npos) << refused.error().sentence();
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path.string() + end);
  }
}

// A trigger that passes over an entry would let an answer out that nobody paid for.
TEST(SqliteSchema, LooksAtItsRulesAgainOnceTheyWereChangedWhileItIsOpen) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ledger";
  const auto store = open_sqlite(path, Missing::is_made);
  ASSERT_TRUE(store);
  {
    const auto work = (*store)->begin(Access::write);
    ASSERT_TRUE((*work)->begin(testing::first_entry(), {10, 0}));
    ASSERT_TRUE((*work)->commit());
  }
  write_schema(path, "CREATE TRIGGER t BEFORE INSERT ON entries BEGIN SELECT RAISE(IGNORE); END");
  const auto refused = (*store)->begin(Access::write);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("or has others"), std::string::npos) << refused.error().sentence();
  write_schema(path, "DROP TRIGGER t");
  EXPECT_TRUE((*store)->begin(Access::write)) << "as it was made with again";
}

}  // namespace
}  // namespace vernier::ledger
