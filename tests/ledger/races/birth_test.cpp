#include <set>

#include <gtest/gtest.h>

#include "ledger/races/audit.hpp"
#include "ledger/races/crew.hpp"
#include "ledger/races/needed.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// A ledger that many processes open before it exists.
namespace vernier::testing {

using namespace ledger;

namespace {

// All begin at the same moment; the ids of the ledger that they opened, or the errors.
std::set<std::string> opened_by(CrewSize crew, const std::filesystem::path& folder, const WitnessPlace& witness) {
  const auto lines = run_crew(crew, [&]() -> Client {
    return [&](int, const Say& say) {
      const auto store = [&] { return needed(open_sqlite(folder / "ledger", Missing::is_made)); };
      const auto ledger = needed(Ledger::open(store(), terms_of_units(1), {.witness = witness}));
      say(ledger->book().id());
    };
  });
  return {lines.begin(), lines.end()};
}

std::string told_ids(const std::set<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids) text += id + "\n";
  return text;
}

void expect_one_ledger(int times, bool is_witness_named) {
  for (int i = 0; i < times; ++i) {
    const TemporaryFolder folder(quick_folder());
    const WitnessPlace witness = is_witness_named ? WitnessPlace{.file = folder.path() / "witness", .folder = {}}
                                                  : WitnessPlace{.file = {}, .folder = folder.path() / "witnesses"};
    const auto ids = opened_by({6, 1}, folder.path(), witness);
    ASSERT_EQ(ids.size(), 1U) << told_ids(ids);
    ASSERT_FALSE(ids.begin()->starts_with("error")) << *ids.begin();
  }
}

TEST(SlowBirth, IsOneHoweverManyOpenTheLedgerAtTheSameMoment) {
  expect_one_ledger(40, true);
  expect_one_ledger(40, false);
}

TEST(HeavyBirth, IsOneHoweverManyOpenTheLedgerAtTheSameMoment) {
  expect_one_ledger(400, true);
  expect_one_ledger(400, false);
}

}  // namespace
}  // namespace vernier::testing
