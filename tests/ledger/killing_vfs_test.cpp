#include "ledger/killing_vfs.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temporary_folder.hpp"

namespace vernier::testing {
namespace {

bool run(sqlite3* database, const char* sql) {
  return sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

int count_rows(void* rows, int, char** values, char**) {
  *static_cast<int*>(rows) = std::stoi(values[0]);
  return 0;
}

// Five commits, each acknowledged by a byte; true where all went well.
bool work(const std::string& path, const std::string& vfs, int acknowledged) {
  sqlite3* database = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  bool is_well = sqlite3_open_v2(path.c_str(), &database, flags, vfs.c_str()) == SQLITE_OK &&
                 run(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t(x)");
  for (int i = 0; is_well && i < 5; ++i) {
    is_well = run(database, "INSERT INTO t VALUES (1)") && ::write(acknowledged, "x", 1) == 1;
  }
  return sqlite3_close(database) == SQLITE_OK && is_well;
}

int rows_in(const std::string& path) {
  sqlite3* database = nullptr;
  int rows = 0;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "SELECT count(*) FROM t", count_rows, &rows, nullptr);  // no table: none
  sqlite3_close(database);
  return rows;
}

struct Life {
  int status;
  int acknowledged;
};

Life live(const std::string& path, std::int64_t call, Moment moment) {
  int ends[2];
  EXPECT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string vfs = install_killing_vfs();
    kill_at(call, moment);
    ::_exit(work(path, vfs, ends[1]) ? 0 : 1);
  }
  ::close(ends[1]);
  Life life{0, 0};
  char byte = 0;
  while (::read(ends[0], &byte, 1) == 1) ++life.acknowledged;
  ::close(ends[0]);
  ::waitpid(child, &life.status, 0);
  return life;
}

TEST(KillingVfs, CountsCallsAndKillsNobodyUntilItIsTold) {
  const TemporaryFolder folder;
  const Life life = live(folder.path() / "db", 0, Moment::before);
  EXPECT_EQ(life.status, 0);
  EXPECT_EQ(rows_in(folder.path() / "db"), 5);
}

// Every call until the work ends by itself: what was acknowledged stands, and at most one commit more.
TEST(KillingVfs, KillsAtEveryCallAndSqliteStandsIt) {
  for (const Moment moment : {Moment::before, Moment::halfway}) {
    int killed = 0;
    for (std::int64_t call = 1;; call += 3) {
      const TemporaryFolder folder;
      const std::string path = folder.path() / "db";
      const Life life = live(path, call, moment);
      const int rows = rows_in(path);
      ASSERT_GE(rows, life.acknowledged) << call;
      ASSERT_LE(rows, life.acknowledged + 1) << call;
      if (life.status == 0) break;
      ASSERT_TRUE(WIFSIGNALED(life.status) && WTERMSIG(life.status) == SIGKILL) << call;
      ++killed;
    }
    EXPECT_GT(killed, 20);
  }
}

}  // namespace
}  // namespace vernier::testing
