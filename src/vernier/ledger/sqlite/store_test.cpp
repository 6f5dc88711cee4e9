#include "vernier/ledger/sqlite/store.hpp"

#include <fstream>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include "support/store_contract.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/connection.hpp"

namespace vernier::ledger {
namespace {

using testing::TemporaryFolder;

constexpr int read_write = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// With the words, whether it may be made or not, and the file stays as it is.
void expect_refused(const std::filesystem::path& path, const std::string& words) {
  const std::string before = text_of(path);
  for (const Missing missing : {Missing::is_error, Missing::is_made}) {
    const auto store = open_sqlite(path, missing);
    ASSERT_FALSE(store) << path;
    EXPECT_EQ(store.error().kind, ErrorKind::system);
    EXPECT_NE(store.error().sentence().find(words), std::string::npos) << store.error().sentence();
    EXPECT_NE(store.error().sentence().find(path.string()), std::string::npos) << store.error().sentence();
  }
  EXPECT_EQ(text_of(path), before) << path;
}

sqlite::Connection connected(const std::filesystem::path& path) {
  auto connection = sqlite::Connection::open(path, read_write, "");
  if (!connection) throw std::runtime_error(connection.error().sentence());
  return std::move(*connection);
}

TEST(SqliteStore, RefusesFilesOfAnotherKindAndLeavesThemAsTheyAre) {
  const TemporaryFolder folder;
  write(folder.path() / "byte", "\n");
  write(folder.path() / "short", "a\n");
  write(folder.path() / "text", std::string(5000, 'x'));
  write(folder.path() / "zeros", std::string(5000, '\0'));
  for (const char* name : {"byte", "short", "text", "zeros"}) expect_refused(folder.path() / name, "is no ledger");
}

TEST(SqliteStore, RefusesTheFormerTextFormatByName) {
  const TemporaryFolder folder;
  const std::string line = std::string(64, 'a') + " {\"version\": 1}\n";
  write(folder.path() / "one", line);
  write(folder.path() / "many", line + std::string(5000, ' '));
  for (const char* name : {"one", "many"}) expect_refused(folder.path() / name, "text format");
}

TEST(SqliteStore, RefusesDatabasesOfOtherProgramsAndLaterVersions) {
  const TemporaryFolder folder;
  ASSERT_TRUE(connected(folder.path() / "other").run("CREATE TABLE t (a)"));
  expect_refused(folder.path() / "other", "of another program");
  ASSERT_TRUE(connected(folder.path() / "marked").run("PRAGMA application_id = 7"));
  expect_refused(folder.path() / "marked", "of another program");
  ASSERT_TRUE(open_sqlite(folder.path() / "later", Missing::is_made));
  ASSERT_TRUE(connected(folder.path() / "later").run("PRAGMA user_version = 3"));
  expect_refused(folder.path() / "later", "version 3");
}

TEST(SqliteStore, RefusesARuleThatWasAddedOrWeakened) {
  const TemporaryFolder folder;
  ASSERT_TRUE(open_sqlite(folder.path() / "added", Missing::is_made));
  ASSERT_TRUE(connected(folder.path() / "added")
                  .run("CREATE TRIGGER t AFTER INSERT ON entries BEGIN SELECT RAISE(IGNORE); END"));
  EXPECT_FALSE(open_sqlite(folder.path() / "added", Missing::is_error));
  ASSERT_TRUE(open_sqlite(folder.path() / "weak", Missing::is_made));
  ASSERT_TRUE(connected(folder.path() / "weak").run("DROP TRIGGER entries_follow"));
  ASSERT_TRUE(connected(folder.path() / "weak")
                  .run("CREATE TRIGGER entries_follow BEFORE INSERT ON entries WHEN NEW.idx < 1 "
                       "BEGIN SELECT RAISE(ABORT, 'an entry follows the last one'); END"));
  EXPECT_FALSE(open_sqlite(folder.path() / "weak", Missing::is_error));
}

TEST(SqliteStore, TakesAnEmptyFileForAMissingOne) {
  const TemporaryFolder folder;
  write(folder.path() / "empty", "");
  const auto refused = open_sqlite(folder.path() / "empty", Missing::is_error);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("is empty"), std::string::npos) << refused.error().sentence();
  EXPECT_TRUE(open_sqlite(folder.path() / "empty", Missing::is_made));
  EXPECT_TRUE(open_sqlite(folder.path() / "empty", Missing::is_error));
}

TEST(SqliteStore, SaysWhichFileOrFolderIsMissing) {
  const TemporaryFolder folder;
  const auto missing = open_sqlite(folder.path() / "none", Missing::is_error);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().sentence(),
            "the ledger '" + (folder.path() / "none").string() + "' does not exist; check its name and its folder");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "none"));
  EXPECT_FALSE(open_sqlite(folder.path() / "no folder" / "ledger", Missing::is_made));
}

TEST(SqliteStore, TakesNamesThatMeanSomethingToSqliteForNames) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* name : {":memory:", "file:x?mode=memory", "a?b#c %41"}) {
    EXPECT_TRUE(open_sqlite(name, Missing::is_made));
    EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
  }
  std::filesystem::current_path(before);
}

TEST(SqliteStore, IsAWriteAheadLogThatIsSyncedAtEveryCommit) {
  const TemporaryFolder folder;
  const auto store = open_sqlite(folder.path() / "ledger", Missing::is_made);
  ASSERT_TRUE(store);
  const sqlite::Connection connection = connected(folder.path() / "ledger");
  EXPECT_EQ(connection.value("PRAGMA journal_mode").value(), "wal");
  EXPECT_EQ(connection.value("PRAGMA application_id").value(), std::to_string(0x56524e52));
  EXPECT_EQ(connection.value("PRAGMA integrity_check").value(), "ok");
  ASSERT_TRUE(connection.run("PRAGMA synchronous = OFF"));
  ASSERT_TRUE(connection.sync_every_commit());
  EXPECT_EQ(connection.value("PRAGMA synchronous").value(), "2");
}

// A copy made by VACUUM INTO comes with a rollback journal.
TEST(SqliteStore, TurnsACopyIntoAWriteAheadLogAgain) {
  const TemporaryFolder folder;
  ASSERT_TRUE(open_sqlite(folder.path() / "ledger", Missing::is_made));
  ASSERT_TRUE(connected(folder.path() / "ledger").run("PRAGMA journal_mode = DELETE"));
  const auto store = open_sqlite(folder.path() / "ledger", Missing::is_error);
  ASSERT_TRUE(store) << store.error().sentence();
  EXPECT_TRUE((*store)->begin(Access::write));
  EXPECT_EQ(connected(folder.path() / "ledger").value("PRAGMA journal_mode").value(), "wal");
}

// A release of a megabyte, 250 pages of the log.
void keep_a_megabyte(Store& store, int number) {
  const auto work = store.begin(Access::write);
  ASSERT_TRUE(work) << work.error().sentence();
  ASSERT_TRUE((*work)->keep(std::to_string(number), {{"big.csv", std::string(1 << 20, 'x')}}));
  ASSERT_TRUE((*work)->commit());
}

TEST(SqliteStore, KeepsItsLogShort) {
  const TemporaryFolder folder;
  const auto store = open_sqlite(folder.path() / "ledger", Missing::is_made);
  ASSERT_TRUE(store);
  const auto reader = open_sqlite(folder.path() / "ledger", Missing::is_error);
  ASSERT_TRUE(reader);
  {
    const auto view = (*reader)->begin(Access::read);
    ASSERT_TRUE(view);
    for (int number = 0; number < 12; ++number) keep_a_megabyte(**store, number);
    EXPECT_GT(std::filesystem::file_size(folder.path() / "ledger-wal"), 12U << 20U) << "the view needs all of it";
    EXPECT_EQ((*view)->documents("0").value(), Documents());
  }
  const std::uintmax_t size = std::filesystem::file_size(folder.path() / "ledger-wal");
  for (int number = 12; number < 40; ++number) keep_a_megabyte(**store, number);
  EXPECT_LT(std::filesystem::file_size(folder.path() / "ledger-wal"), size + (10U << 20U));
  EXPECT_GT(std::filesystem::file_size(folder.path() / "ledger"), 28U << 20U);
  const auto view = (*reader)->begin(Access::read);
  for (int number = 0; number < 40; ++number) {
    EXPECT_EQ((*view)->documents(std::to_string(number))->size(), 1U) << number;
  }
}

TEST(SqliteStore, CopiesItsLogBackOnlyWhileItHoldsTheLock) {
  const TemporaryFolder folder;
  const auto store = open_sqlite(folder.path() / "ledger", Missing::is_made);
  ASSERT_TRUE(store);
  for (int number = 0; number < 4; ++number) keep_a_megabyte(**store, number);
  EXPECT_LT(std::filesystem::file_size(folder.path() / "ledger"), 1U << 20U) << "no commit copies by itself";
  const auto work = (*store)->begin(Access::write);
  ASSERT_TRUE(work);
  EXPECT_GT(std::filesystem::file_size(folder.path() / "ledger"), 4U << 20U);
}

// As somebody who may read the file and not its folder; root becomes nobody for that.
TEST(SqliteStore, IsReadWhereItMayNotBeWritten) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "ledger";
  const auto writer = open_sqlite(path, Missing::is_made);
  ASSERT_TRUE(writer);
  ASSERT_TRUE((*writer)->begin(Access::write));
  for (const char* end : {"", "-wal", "-shm"}) {
    std::filesystem::permissions(path.string() + end, std::filesystem::perms(0444));
  }
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0555));
  const bool was_root = ::geteuid() == 0;
  ASSERT_TRUE(!was_root || ::seteuid(65534) == 0);
  {
    const auto store = open_sqlite(path, Missing::is_error);
    EXPECT_TRUE(store) << store.error().sentence();
    if (store) {
      EXPECT_TRUE((*store)->begin(Access::read));
      const auto refused = (*store)->begin(Access::write);
      EXPECT_FALSE(refused);
      EXPECT_NE(refused.error().sentence().find("may not be written"), std::string::npos) << refused.error().sentence();
    }
  }
  ASSERT_TRUE(!was_root || ::seteuid(0) == 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
}

TEST(SqliteStore, GivesUpWhenALockIsHeldForTooLong) {
  const TemporaryFolder folder;
  const auto store = open_sqlite(folder.path() / "ledger", Missing::is_made);
  ASSERT_TRUE(store);
  const auto holder = (*store)->begin(Access::write);
  const auto other = sqlite::Connection::open(folder.path() / "ledger", read_write, "", std::chrono::milliseconds(50));
  ASSERT_TRUE(other);
  const Result<void> refused = other->run("BEGIN IMMEDIATE");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("was held by another process"), std::string::npos);
}

TEST(SqliteStore, SaysThatTheDiskIsFull) {
  const TemporaryFolder folder;
  const sqlite::Connection connection = connected(folder.path() / "small");
  ASSERT_TRUE(connection.run("PRAGMA max_page_count = 2"));
  ASSERT_TRUE(connection.run("CREATE TABLE t (a)"));
  const Result<void> refused = connection.run("INSERT INTO t VALUES (zeroblob(100000))");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("disk is full"), std::string::npos) << refused.error().sentence();
}

TEST(SqliteStore, HasASentenceOfItsOwnForEachKindOfFailure) {
  std::vector<std::string> sentences;
  for (const int code : {SQLITE_BUSY, SQLITE_FULL, SQLITE_IOERR_FSYNC, SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_READONLY,
                         SQLITE_CANTOPEN, SQLITE_CONSTRAINT_CHECK, SQLITE_CONSTRAINT_TRIGGER, SQLITE_CONSTRAINT_UNIQUE,
                         SQLITE_CONSTRAINT_NOTNULL, SQLITE_NOMEM}) {
    sentences.push_back(sqlite::failure("x", code, EIO).value().sentence());
    EXPECT_EQ(sentences.back().find("the ledger 'x' "), 0U) << sentences.back();
    EXPECT_EQ(std::count(sentences.begin(), sentences.end(), sentences.back()), 1) << sentences.back();
  }
}

}  // namespace
}  // namespace vernier::ledger
