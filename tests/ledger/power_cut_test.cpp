#include <functional>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "ledger/ledger_check.hpp"

// Promise P18: a power cut loses nothing that was acknowledged. A client spends until the disk stops at some call; then
// the power is cut, and what is found afterwards is held against what the client was told.
namespace vernier::testing {
namespace {

// Power cuts.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int usual = 500;
#else
constexpr int usual = 5'000;
#endif

// Opens the ledger and acts up to `actions` times, until the disk stops; closes it in order one time in two.
void live(SimulatedDisk& disk, LedgerClient& client, int actions, bool closes) {
  const auto ledger = LedgerClient::open(disk);
  if (!ledger) return;
  for (int i = 0; i < actions; ++i) {
    if (!client.act(**ledger)) return;
  }
  if (!closes) disk.stop_at(1);
}

// One ledger from its beginning through several power cuts; the first contradiction.
std::string lives_of(std::uint64_t seed, int cuts, bool syncs) {
  std::mt19937_64 chance(seed);
  SimulatedDisk disk;
  LedgerClient client(seed);
  for (int cut = 0; cut < cuts; ++cut) {
    if (!syncs) disk.ignore_syncs();
    disk.stop_at(std::uniform_int_distribution<std::int64_t>(1, cut == 0 ? 400 : 250)(chance));
    live(disk, client, 12, chance() % 2 == 0);
    if (!client.complaint().empty()) return client.complaint();
    disk.cut_power(chance());
    if (auto found = contradiction(disk, client); !found.empty()) return found;
    disk.restart();
  }
  return "";
}

constexpr int cuts_of_a_life = 5;

// Of so many power cuts, with the seed of the life in which it was found.
std::string first_contradiction(int cuts, std::uint64_t first_seed) {
  for (std::uint64_t seed = first_seed; seed < first_seed + static_cast<std::uint64_t>(cuts / cuts_of_a_life); ++seed) {
    const std::string found = lives_of(seed, cuts_of_a_life, true);
    if (!found.empty()) return "seed " + std::to_string(seed) + ": " + found;
  }
  return "";
}

TEST(PowerCut, LosesNothingThatWasAcknowledged) { EXPECT_EQ(first_contradiction(usual, 1), ""); }

// In ten parts, so that each ends in time.
class HeavyPowerCut : public ::testing::TestWithParam<int> {};
TEST_P(HeavyPowerCut, LosesNothingThatWasAcknowledged) {
  EXPECT_EQ(first_contradiction(usual, static_cast<std::uint64_t>(GetParam()) * 1'000'000), "");
}
INSTANTIATE_TEST_SUITE_P(, HeavyPowerCut, ::testing::Range(1, 11));

// A short life, cut at each of its calls.
void act_shortly(SimulatedDisk& disk, LedgerClient& client) {
  const auto ledger = LedgerClient::open(disk);
  if (!ledger || !client.reserve(**ledger, 3) || !client.reserve(**ledger, 5)) return;
  if (!client.settle(**ledger, "r2", 5000) || !client.ask_again(**ledger, "r2")) return;
  static_cast<void>(client.reserve(**ledger, 1));
}

std::int64_t calls_of_a_short_life() {
  SimulatedDisk disk;
  LedgerClient client(1);
  act_shortly(disk, client);
  EXPECT_EQ(client.paid().size(), 3U);
  return disk.calls();
}

TEST(PowerCut, MayComeAtEveryCall) {
  const std::int64_t calls = calls_of_a_short_life();
  EXPECT_GT(calls, 100);
  for (std::int64_t call = 1; call <= calls + 1; ++call) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      SimulatedDisk disk;
      LedgerClient client(1);
      disk.stop_at(call);
      act_shortly(disk, client);
      disk.cut_power(seed);
      ASSERT_EQ(contradiction(disk, client), "") << "call " << call << ", seed " << seed;
    }
  }
}

// Mutants, each of which leaves out syncs. A life ends at the first thing that was lost.
int noticed_of(int lives, const std::function<std::string(std::uint64_t)>& life) {
  int noticed = 0;
  for (int seed = 1; seed <= lives; ++seed) {
    if (!life(static_cast<std::uint64_t>(seed)).empty()) ++noticed;
  }
  return noticed;
}

TEST(PowerCut, IsNoticedWhereTheDiskOnlySaysThatItSyncs) {
  EXPECT_GE(noticed_of(40, [](std::uint64_t seed) { return lives_of(seed, cuts_of_a_life, false); }), 30);
}

// The connection that was opened last, whose settings are then changed behind the store's back.
sqlite3* last_opened = nullptr;
int note_connection(sqlite3* connection, char**, const sqlite3_api_routines*) {
  last_opened = connection;
  return SQLITE_OK;
}

std::string life_with(const char* synchronous, std::uint64_t seed) {
  SimulatedDisk disk;
  LedgerClient client(seed);
  {
    const auto ledger = LedgerClient::open(disk);
    EXPECT_EQ(sqlite3_exec(last_opened, synchronous, nullptr, nullptr, nullptr), SQLITE_OK);
    for (int i = 0; i < 12; ++i) EXPECT_TRUE(client.act(**ledger));
    disk.stop_at(1);
  }
  disk.cut_power(seed);
  return contradiction(disk, client);
}

TEST(PowerCut, IsNoticedWhereSqliteDoesNotSyncEveryCommit) {
  const auto extension = reinterpret_cast<void (*)()>(note_connection);
  ASSERT_EQ(sqlite3_auto_extension(extension), SQLITE_OK);
  for (const char* setting : {"PRAGMA synchronous = OFF", "PRAGMA synchronous = NORMAL"}) {
    EXPECT_GE(noticed_of(40, [&](std::uint64_t seed) { return life_with(setting, seed); }), 30) << setting;
  }
  EXPECT_EQ(noticed_of(40, [&](std::uint64_t seed) { return life_with("PRAGMA synchronous = FULL", seed); }), 0);
  sqlite3_cancel_auto_extension(extension);
}

}  // namespace
}  // namespace vernier::testing
