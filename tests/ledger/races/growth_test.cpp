#include <algorithm>
#include <chrono>
#include <ctime>

#include <gtest/gtest.h>

#include "ledger/races/audit.hpp"
#include "ledger/races/long_ledger.hpp"
#include "ledger/races/needed.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// What a ledger costs when it has grown.
namespace vernier::testing {

using namespace ledger;

namespace {

const Terms terms = terms_of_units(100000000);

double cpu_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::unique_ptr<Ledger> opened(const std::filesystem::path& path) {
  return needed(Ledger::open(needed(open_sqlite(path, Missing::is_made)), terms,
                             {.witness = {.file = path.parent_path() / "witness"}}));
}

double seconds_to_open(const std::filesystem::path& path) {
  const double start = cpu_seconds();
  static_cast<void>(opened(path));
  return cpu_seconds() - start;
}

// The least of several rounds of reserve and settle, each of some dozens.
double seconds_to_spend(const std::filesystem::path& path) {
  const auto ledger = opened(path);
  double best = 1e9;
  for (int round = 0; round < 15; ++round) {
    const double start = cpu_seconds();
    for (int i = 0; i < 40; ++i) {
      const Spend spend =
          spend_of_units(terms, 1, "new-" + std::to_string(round).append("-").append(std::to_string(i)));
      needed(ledger->reserve(spend));
      needed(ledger->settle(spend.release, {{"release.json", "{}"}}));
    }
    best = std::min(best, cpu_seconds() - start);
  }
  return best / 80;
}

// Opening is in proportion to the entries; what a busy machine adds is allowed for.
TEST(SlowGrowth, HundredThousandEntriesOpenInHalfASecond) {
  const TemporaryFolder folder(quick_folder());
  write_long_ledger(folder.path() / "ledger", terms, 100000);
  const double best = std::min(seconds_to_open(folder.path() / "ledger"), seconds_to_open(folder.path() / "ledger"));
  RecordProperty("microseconds", static_cast<int>(1e6 * best));
  EXPECT_LT(best, 0.5);
}

TEST(HeavyGrowth, MillionEntriesOpenInTwoSeconds) {
  const TemporaryFolder folder;
  write_long_ledger(folder.path() / "ledger", terms, 1000000);
  const auto start = std::chrono::steady_clock::now();
  const double cpu = seconds_to_open(folder.path() / "ledger");
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  RecordProperty("microseconds", static_cast<int>(1e6 * cpu));
  EXPECT_LT(cpu, 2);
  EXPECT_LT(wall.count(), 10) << "even where others use the machine as well";
}

TEST(SlowGrowth, SpendCostsTheSameAtTheTenthAndAtTheHundredThousandthEntry) {
  const TemporaryFolder folder(quick_folder());
  write_long_ledger(folder.path() / "young", terms, 10);
  write_long_ledger(folder.path() / "old", terms, 100000);
  const double young = seconds_to_spend(folder.path() / "young");
  std::filesystem::remove(folder.path() / "witness");
  const double old = seconds_to_spend(folder.path() / "old");
  RecordProperty("young_nanoseconds", static_cast<int>(1e9 * young));
  RecordProperty("old_nanoseconds", static_cast<int>(1e9 * old));
  EXPECT_LT(old, 2 * young) << young << " and " << old << " seconds";
}

}  // namespace
}  // namespace vernier::testing
