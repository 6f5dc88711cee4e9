#include "ledger/simulated_disk.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ledger/simulated_file.hpp"

namespace vernier::testing {
namespace {

// A connection to a table of numbers on a simulated disk.
class Numbers {
 public:
  explicit Numbers(const SimulatedDisk& disk) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    sqlite3_open_v2("/numbers", &database_, flags, disk.name().c_str());
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  ~Numbers() { sqlite3_close(database_); }

  bool run(const std::string& sql) {
    answer_ = -1;
    return sqlite3_exec(database_, sql.c_str(), keep, this, nullptr) == SQLITE_OK;
  }
  bool begin(const std::string& mode) {
    return run("PRAGMA journal_mode = " + mode + "; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS t(x)");
  }
  int code() const { return sqlite3_errcode(database_); }
  int ask(const std::string& sql) { return run(sql) ? answer_ : -1; }

 private:
  static int keep(void* numbers, int, char** values, char**) {
    static_cast<Numbers*>(numbers)->answer_ = std::atoi(values[0]);
    return 0;
  }
  sqlite3* database_ = nullptr;
  int answer_ = -1;
};

constexpr const char* how_many = "SELECT count(*) FROM t";

TEST(SimulatedFile, KeepsWhatWasSynced) {
  Chance chance(1);
  for (const Survival survival : {Survival::none, Survival::first, Survival::some, Survival::all}) {
    SimulatedFile file;
    file.write(100, "abc");
    file.truncate(102);
    file.sync();
    file.lose_power(survival, chance);
    EXPECT_EQ(file.seen(), std::string(100, '\0') + "ab");
  }
}

TEST(SimulatedFile, LosesTearsAndReordersWhatWasNot) {
  Chance chance(2);
  std::set<std::string> outcomes;
  for (int i = 0; i < 2000; ++i) {
    SimulatedFile file;
    file.write(0, std::string(1024, 'a'));
    file.sync();
    file.write(0, std::string(1024, 'b'));
    file.write(512, std::string(512, 'c'));
    file.lose_power(Survival::some, chance);
    outcomes.insert({file.seen()[0], file.seen()[511], file.seen()[512]});
  }
  for (const char* outcome : {"aaa", "aab", "aac", "bba", "bbb", "bbc", "baa"}) EXPECT_TRUE(outcomes.contains(outcome));
  EXPECT_FALSE(outcomes.contains("aba"));  // sectors are written from their start
}

TEST(SimulatedFile, MayGrowWithoutTheBytesOfIt) {
  Chance chance(3);
  std::set<std::string> outcomes;
  for (int i = 0; i < 500; ++i) {
    SimulatedFile file;
    file.write(0, "ab");
    file.lose_power(Survival::some, chance);
    outcomes.emplace(file.seen());
  }
  const std::string zeros(2, '\0');
  EXPECT_EQ(outcomes, (std::set<std::string>{"", "a", zeros, "ab"}));
}

// After an error of a sync the next one has nothing to write, whatever programs see.
TEST(SimulatedFile, ForgetsWhatItFailedToSync) {
  int lost = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Chance chance(seed);
    SimulatedFile file;
    file.write(0, "ab");
    file.fail_to_sync(chance);
    EXPECT_EQ(file.seen(), "ab");
    file.sync();
    file.lose_power(Survival::all, chance);
    if (file.seen() != "ab") ++lost;
  }
  EXPECT_GT(lost, 20);
}

TEST(SimulatedDisk, ServesSqliteInBothModes) {
  for (const char* mode : {"WAL", "DELETE"}) {
    SimulatedDisk disk;
    {
      Numbers first(disk), second(disk);
      ASSERT_TRUE(first.begin(mode));
      ASSERT_TRUE(first.run("INSERT INTO t VALUES (1)"));
      EXPECT_EQ(second.ask(how_many), 1);
      EXPECT_EQ(second.ask("PRAGMA integrity_check; SELECT 7"), 7);
      EXPECT_EQ(disk.open_files() > 1, true);
    }
    EXPECT_EQ(disk.open_files(), 0);
  }
}

TEST(SimulatedDisk, LetsOneWriterInAtATime) {
  for (const char* mode : {"WAL", "DELETE"}) {
    SimulatedDisk disk;
    Numbers first(disk), second(disk);
    ASSERT_TRUE(first.begin(mode));
    ASSERT_TRUE(first.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)"));
    EXPECT_FALSE(second.run("BEGIN IMMEDIATE"));
    EXPECT_EQ(second.code(), SQLITE_BUSY);
    EXPECT_EQ(second.ask(how_many), 0);  // readers go on
    ASSERT_TRUE(first.run("COMMIT"));
    EXPECT_TRUE(second.run("BEGIN IMMEDIATE; INSERT INTO t VALUES (2); COMMIT"));
    EXPECT_EQ(first.ask(how_many), 2);
  }
}

TEST(SimulatedDisk, WaitsForReadersBeforeItOverwritesWhatTheySee) {
  SimulatedDisk disk;
  Numbers writer(disk), reader(disk);
  ASSERT_TRUE(writer.begin("DELETE"));
  ASSERT_EQ(reader.ask("BEGIN; SELECT count(*) FROM t"), 0);
  EXPECT_FALSE(writer.run("INSERT INTO t VALUES (1)"));
  EXPECT_EQ(writer.code(), SQLITE_BUSY);
  ASSERT_TRUE(reader.run("COMMIT"));
  EXPECT_TRUE(writer.run("INSERT INTO t VALUES (1)"));
}

// Commits until the disk stops; how many were acknowledged.
int commit_until_it_stops(const SimulatedDisk& disk, const char* mode, const char* synchronous) {
  Numbers numbers(disk);
  int acknowledged = 0;
  if (!numbers.begin(mode) ||
      !numbers.run(std::string("PRAGMA wal_autocheckpoint = 7; PRAGMA synchronous = ") + synchronous))
    return 0;
  while (acknowledged < 30 && numbers.run("INSERT INTO t VALUES (randomblob(900))")) ++acknowledged;
  return acknowledged;
}

// How many of `points` power cuts took something that was acknowledged.
int losses(int points, const char* mode, const char* synchronous, bool syncs) {
  int lost = 0;
  Chance chance(5);
  for (int i = 0; i < points; ++i) {
    SimulatedDisk disk;
    if (!syncs) disk.ignore_syncs();
    disk.stop_at(std::uniform_int_distribution<std::int64_t>(1, 700)(chance));
    const int acknowledged = commit_until_it_stops(disk, mode, synchronous);
    disk.cut_power(chance());
    Numbers numbers(disk);
    if (std::max(numbers.ask(how_many), 0) < acknowledged || numbers.ask("PRAGMA integrity_check; SELECT 7") != 7)
      ++lost;
  }
  return lost;
}

TEST(SimulatedDisk, TakesNothingFromSqliteWhereItSyncs) {
  EXPECT_EQ(losses(150, "WAL", "FULL", true), 0);
  EXPECT_EQ(losses(150, "DELETE", "EXTRA", true), 0);
}

TEST(SimulatedDisk, TakesWhatSqliteDidNotSync) {
  EXPECT_GT(losses(100, "WAL", "NORMAL", true), 10);
  EXPECT_GT(losses(100, "WAL", "OFF", true), 10);
  EXPECT_GT(losses(100, "DELETE", "OFF", true), 10);
  EXPECT_GT(losses(100, "WAL", "FULL", false), 10);
}

TEST(SimulatedDisk, FailsOneCallAndGoesOn) {
  SimulatedDisk disk;
  Numbers numbers(disk);
  ASSERT_TRUE(numbers.begin("WAL"));
  const std::int64_t before = disk.calls();
  ASSERT_TRUE(numbers.run("INSERT INTO t VALUES (1)"));
  const std::int64_t per_commit = disk.calls() - before;
  int failed = 0;
  for (std::int64_t call = 1; call <= per_commit; ++call) {
    disk.fail_at(disk.calls() + call, Fault::io_error);
    if (!numbers.run("INSERT INTO t VALUES (1)")) ++failed;
    EXPECT_TRUE(disk.has_failed());
  }
  EXPECT_GT(failed, 3);
  disk.fail_at(0, Fault::io_error);
  EXPECT_TRUE(numbers.run("INSERT INTO t VALUES (1)"));
}

TEST(SimulatedDisk, TellsTheDiskIsFull) {
  SimulatedDisk disk;
  Numbers numbers(disk);
  ASSERT_TRUE(numbers.begin("WAL"));
  for (const Fault fault : {Fault::disk_full, Fault::short_write}) {
    int times = 0;
    for (std::int64_t call = 1; call < 20; ++call) {
      disk.fail_at(disk.calls() + call, fault);
      const bool worked = numbers.run("INSERT INTO t VALUES (1)");
      EXPECT_EQ(worked, !disk.has_failed());
      EXPECT_TRUE(worked || numbers.code() == SQLITE_FULL || numbers.code() == SQLITE_IOERR);
      if (numbers.code() == SQLITE_FULL) ++times;
    }
    EXPECT_GT(times, 0);
    disk.fail_at(0, fault);
  }
}

TEST(SimulatedDisk, CopiesItsFiles) {
  SimulatedDisk disk;
  EXPECT_EQ(commit_until_it_stops(disk, "WAL", "FULL"), 30);
  SimulatedDisk copy(disk);
  EXPECT_NE(copy.name(), disk.name());
  EXPECT_TRUE(Numbers(copy).run("DELETE FROM t"));
  EXPECT_EQ(Numbers(disk).ask(how_many), 30);
  EXPECT_EQ(Numbers(copy).ask(how_many), 0);
}

}  // namespace
}  // namespace vernier::testing
