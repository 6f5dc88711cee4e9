#include <gtest/gtest.h>

#include "ledger/ledger_client.hpp"
#include "support/temporary_folder.hpp"

// A witness on a disk that keeps everything never knows more than the ledger on one whose power is cut.
namespace vernier::testing {
namespace {

Result<std::unique_ptr<ledger::Ledger>> open(const SimulatedDisk& disk, const std::filesystem::path& witness) {
  return LedgerClient::store_on(disk).and_then(
      [&](std::unique_ptr<ledger::Store> store) { return LedgerClient::open(std::move(store), {.file = witness}); });
}

void live(const SimulatedDisk& disk, const std::filesystem::path& witness, std::uint64_t seed) {
  LedgerClient client(seed);
  const auto ledger = open(disk, witness);
  for (int i = 0; ledger && i < 12; ++i) {
    if (!client.act(**ledger)) return;
  }
}

// In how many of so many power cuts the witness had seen what is not there any more.
int refusals(int cuts, bool syncs) {
  int refused = 0;
  std::mt19937_64 chance(3);
  for (int i = 0; i < cuts; ++i) {
    const TemporaryFolder folder;
    SimulatedDisk disk;
    if (!syncs) disk.ignore_syncs();
    disk.stop_at(std::uniform_int_distribution<std::int64_t>(1, 400)(chance));
    live(disk, folder.path() / "witness", chance());
    disk.cut_power(chance());
    if (!open(disk, folder.path() / "witness")) ++refused;
  }
  return refused;
}

TEST(PowerCut, NeverLeavesTheWitnessAheadOfTheLedger) { EXPECT_EQ(refusals(150, true), 0); }
TEST(PowerCut, IsNoticedByTheWitnessWhereNothingIsSynced) { EXPECT_GE(refusals(40, false), 15); }

}  // namespace
}  // namespace vernier::testing
