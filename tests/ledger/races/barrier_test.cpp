#include <set>

#include <gtest/gtest.h>

#include "ledger/races/audit.hpp"
#include "ledger/races/crew.hpp"
#include "ledger/races/needed.hpp"
#include "ledger/races/unlocked_store.hpp"
#include "support/store_place.hpp"
#include "support/temporary_folder.hpp"

// Many clients that ask at the same moment for more than there is.
namespace vernier::testing {

using namespace ledger;

namespace {

using OpenLedger = std::function<std::unique_ptr<Ledger>()>;

struct Rush {
  int units;
  int clients;
  int requests;  // of each client, one unit each
};

std::unique_ptr<Ledger> opened(std::unique_ptr<Store> store, const Rush& rush, const WitnessPlace& witness) {
  return needed(Ledger::open(std::move(store), terms_of_units(rush.units), {.witness = witness}));
}

std::string outcome(const Result<Reservation>& reservation) {
  if (reservation) return std::holds_alternative<Granted>(*reservation) ? "granted" : "error: it was no new request";
  return reservation.error().kind == ErrorKind::exhausted ? "refused" : "error: " + reservation.error().sentence();
}

Spend one_unit(const Rush& rush, int client, int request) {
  return spend_of_units(terms_of_units(rush.units), 1,
                        "c" + std::to_string(client).append("-").append(std::to_string(request)));
}

// Says a line for everything but what is refused, and how much that was.
void rush_in(Ledger& ledger, const Rush& rush, int client, const Say& say) {
  int refused = 0;
  for (int request = 0; request < rush.requests; ++request) {
    const Spend spend = one_unit(rush, client, request);
    const std::string became = outcome(ledger.reserve(spend));
    refused += became == "refused" ? 1 : 0;
    if (became == "granted") say("granted " + spend.release);
    if (became.starts_with("error")) say(became);
  }
  say("refused " + std::to_string(refused));
}

struct Told {
  std::set<std::string> granted = {};
  int refused = 0;
  std::vector<std::string> errors = {};
};

Told told_in(const std::vector<std::string>& lines) {
  Told told;
  for (const std::string& line : lines) {
    if (line.starts_with("granted "))
      told.granted.insert(line.substr(8));
    else if (line.starts_with("refused "))
      told.refused += std::stoi(line.substr(8));
    else
      told.errors.push_back(line);
  }
  return told;
}

// Whether exactly what there was has been granted, and exactly that is written down.
std::vector<std::string> faults_of_rush(const Told& told, const Audit& audit, const Rush& rush) {
  std::vector<std::string> faults = faults_of(audit, terms_of_units(rush.units));
  const auto granted = static_cast<int>(told.granted.size());
  if (granted > rush.units) faults.emplace_back("overspent: " + std::to_string(granted) + " were granted");
  if (granted < rush.units) faults.emplace_back("underspent: " + std::to_string(granted) + " were granted");
  if (granted + told.refused != rush.clients * rush.requests) faults.emplace_back("requests were lost");
  if (!told.errors.empty()) faults.push_back(told.errors.front());
  std::set<std::string> written;
  for (const Entry& entry : audit.entries) {
    if (entry.kind == Kind::reserve) written.insert(entry.release);
  }
  if (written != told.granted) faults.emplace_back("what was granted is not what is written down");
  return faults;
}

bool has_overspent(const std::vector<std::string>& faults) {
  for (const std::string& fault : faults) {
    if (fault.starts_with("overspent")) return true;
  }
  return false;
}

class Barrier : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (!GetParam().is_here()) GTEST_SKIP() << GetParam().name << " is not installed; tools/setup does that";
    place_ = GetParam().make();
  }
  std::unique_ptr<Store> store() const { return needed(place_->open(Missing::is_made)); }
  WitnessPlace witness() const { return {.file = folder_.path() / "witness"}; }

  std::vector<std::string> faults_in_processes(const Rush& rush, int processes) const {
    const auto lines = run_crew({processes, rush.clients / processes}, [&]() -> Client {
      const std::shared_ptr<Ledger> ledger = opened(store(), rush, witness());
      return [ledger, rush](int client, const Say& say) { rush_in(*ledger, rush, client, say); };
    });
    return faults_of_rush(told_in(lines), audit(*store(), terms_of_units(rush.units), witness()), rush);
  }

  std::vector<std::string> faults_in_threads(const Rush& rush) const {
    const std::unique_ptr<Ledger> ledger = opened(store(), rush, witness());
    const auto lines =
        run_threads(rush.clients, [&](int client, const Say& say) { rush_in(*ledger, rush, client, say); });
    return faults_of_rush(told_in(lines), audit(*store(), terms_of_units(rush.units), witness()), rush);
  }

  std::unique_ptr<StorePlace> place_;
  TemporaryFolder folder_;
};
using GreatBarrier = Barrier;
using ManyBarriers = Barrier;

TEST_P(Barrier, SmallRushOfThreadsIsGrantedWhatThereIs) {
  const Rush rush{20, 8, 10};
  EXPECT_EQ(told(faults_in_threads(rush)), "");
}

TEST_P(GreatBarrier, EightProcessesOfEightClientsAreGrantedExactlyWhatThereIs) {
  EXPECT_EQ(told(faults_in_processes({1000, 64, 200}, 8)), "");
}

TEST_P(GreatBarrier, SixtyFourClientsOfOneLedgerAreGrantedExactlyWhatThereIs) {
  EXPECT_EQ(told(faults_in_threads({1000, 64, 200})), "");
}

TEST_P(GreatBarrier, SixtyFourProcessesAreGrantedExactlyWhatThereIs) {
  EXPECT_EQ(told(faults_in_processes({100, 64, 5}, 64)), "");
}

TEST_P(ManyBarriers, RushesAreGrantedExactlyWhatThereIsTenTimes) {
  for (int round = 0; round < 10; ++round) {
    place_ = GetParam().make();
    std::filesystem::remove(witness().file);
    ASSERT_EQ(told(faults_in_processes({1000, 64, 200}, 8)), "") << round;
  }
}

// The rules that the store has by itself stop what the missing lock lets pass: clients see errors, and nothing is
// granted twice.
TEST_P(GreatBarrier, StoreStopsOverspendingByItselfWhereTheLockIsMissing) {
  const Rush rush{50, 16, 20};
  static_cast<void>(opened(store(), rush, witness()));
  const auto lines = run_crew({16, 1}, [&]() -> Client {
    const OpenLedger open = [&] { return opened(without_lock(store()), rush, witness()); };
    const auto ledger = std::make_shared<std::unique_ptr<Ledger>>(open());
    return [=](int client, const Say& say) {
      for (int request = 0; request < rush.requests; ++request) {
        const Spend spend = one_unit(rush, client, request);
        const std::string became = outcome((*ledger)->reserve(spend));
        say(became + (became == "granted" ? " " + spend.release : became == "refused" ? " 1" : ""));
        if (became.starts_with("error")) *ledger = open();
      }
    };
  });
  const Told told_lines = told_in(lines);
  const Audit found = audit(*store(), terms_of_units(rush.units), witness());
  EXPECT_EQ(told(faults_of(found, terms_of_units(rush.units))), "");
  EXPECT_EQ(static_cast<std::int64_t>(told_lines.granted.size()), count(found, Kind::reserve));
  EXPECT_FALSE(told_lines.errors.empty()) << "nobody raced";
}

INSTANTIATE_TEST_SUITE_P(Sqlite, Barrier, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(SlowSqlite, GreatBarrier, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(HeavySqlite, ManyBarriers, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(SlowPostgresql, GreatBarrier, ::testing::Values(postgresql_stores));
INSTANTIATE_TEST_SUITE_P(HeavyPostgresql, ManyBarriers, ::testing::Values(postgresql_stores));

// Clients that open the ledger anew after an error, as commands do, on a file that is read and written back.
std::vector<std::string> faults_on_plain_file(PlainLock lock, const Rush& rush) {
  const auto file = std::make_shared<PlainFile>();
  const OpenLedger open = [&] { return opened(plain_store(file, lock), rush, {}); };
  static_cast<void>(open());
  const auto lines = run_threads(rush.clients, [&](int client, const Say& say) {
    std::unique_ptr<Ledger> ledger = open();
    int refused = 0;
    for (int request = 0; request < rush.requests; ++request) {
      const Spend spend = one_unit(rush, client, request);
      std::string became = outcome(ledger->reserve(spend));
      for (; became.starts_with("error"); became = outcome(ledger->reserve(spend))) ledger = open();
      refused += became == "refused" ? 1 : 0;
      if (became == "granted") say("granted " + spend.release);
    }
    say("refused " + std::to_string(refused));
  });
  return faults_of_rush(told_in(lines), audit(*plain_store(file, lock), terms_of_units(rush.units)), rush);
}

TEST(MutantThread, WithoutTheLockOverspendsAndIsFound) {
  const Rush rush{20, 8, 20};
  EXPECT_EQ(told(faults_on_plain_file(PlainLock::held, rush)), "");
  const auto faults = faults_on_plain_file(PlainLock::missing, rush);
  EXPECT_TRUE(has_overspent(faults)) << told(faults);
}

}  // namespace
}  // namespace vernier::testing
