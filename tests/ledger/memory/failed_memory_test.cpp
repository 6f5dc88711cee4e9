#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "ledger/ledger_check.hpp"
#include "ledger/memory/failing_memory.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// Promise P20: where memory is exhausted, the ledger fails closed. Every allocation of an action fails once; the answer
// is an error or true, and afterwards everything that was acknowledged is there. An exception, or the end of the
// process, would fail the test.
namespace vernier::testing {
namespace {

using ledger::Ledger;

// A disk with a ledger that was used before, and the client who did.
struct Base {
  SimulatedDisk disk;
  LedgerClient client{7};
};

// Once, before SQLite is used for the first time.
const Base& used_before() {
  static const std::unique_ptr<Base> base = [] {
    install_failing_memory();
    auto made = std::make_unique<Base>();
    const auto ledger = LedgerClient::open(made->disk);
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(made->client.reserve(**ledger, 2));
    EXPECT_TRUE(made->client.settle(**ledger, "r1", 3000));
    return made;
  }();
  return *base;
}

// Says something to the ledger while memory fails, and lets the client hear the answer when it works again.
using Act = std::function<Result<void>(LedgerClient&, Ledger&, const FailingAllocation&)>;

// What is found after an action whose n-th allocation failed; none where it had no so many.
std::optional<std::string> outcome_of(const Act& act, const FailingAllocation& failing) {
  SimulatedDisk disk(used_before().disk);
  LedgerClient client(used_before().client);
  {
    const auto ledger = LedgerClient::open(disk);
    const Result<void> acted = act(client, **ledger, failing);
    if (!has_allocation_failed()) return std::nullopt;
    if (!acted) static_cast<void>(client.reserve(**ledger, 1));  // refused, or a true success
  }
  disk.restart();
  return contradiction(disk, client);
}

int fail_each(const Act& act, Memory memory) {
  for (int number = 1;; ++number) {
    const std::optional<std::string> outcome = outcome_of(act, {memory, number});
    if (!outcome) return number - 1;
    EXPECT_EQ(*outcome, "") << "allocation " << number;
  }
}

Result<void> reserve(LedgerClient& client, Ledger& ledger, const FailingAllocation& failing) {
  const ledger::Spend spend = client.next_spend(3);
  return client.heard(spend, failing.during([&] { return ledger.reserve(spend); }));
}

Result<void> settle(LedgerClient& client, Ledger& ledger, const FailingAllocation& failing) {
  const ledger::Documents& documents = client.answer_for("r2", 9000);
  return client.heard_settled("r2", failing.during([&] { return ledger.settle("r2", documents); }));
}

Result<void> ask_again(LedgerClient& client, Ledger& ledger, const FailingAllocation& failing) {
  const ledger::Spend spend = client.paid().at("r1").spend;
  return client.heard_again("r1", failing.during([&] { return ledger.reserve(spend); }));
}

// Only what the library itself allocates fails.
Result<std::unique_ptr<Ledger>> opened(const SimulatedDisk& disk, const FailingAllocation& failing) {
  const std::filesystem::path path = "/ledger";
  const std::string vfs = disk.name();
  const ledger::Terms terms = LedgerClient::terms();
  const ledger::Options options;
  return failing.during([&] {
    auto store = ledger::open_sqlite(path, ledger::Missing::is_made, vfs);
    if (!store) return Result<std::unique_ptr<Ledger>>(tl::unexpect, std::move(store.error()));
    return Ledger::open(*std::move(store), terms, options);
  });
}

std::optional<std::string> outcome_of_opening(const FailingAllocation& failing) {
  SimulatedDisk disk(used_before().disk);
  LedgerClient client(used_before().client);
  static_cast<void>(opened(disk, failing));
  if (!has_allocation_failed()) return std::nullopt;
  disk.restart();
  return contradiction(disk, client);
}

TEST(FailedMemory, LosesNothingWhereALedgerIsOpened) {
  for (const Memory memory : {Memory::of_cpp, Memory::of_sqlite}) {
    int number = 1;
    while (const auto outcome = outcome_of_opening({memory, number})) {
      ASSERT_EQ(*outcome, "") << "allocation " << number;
      ++number;
    }
    EXPECT_GT(number, 40);
  }
}

TEST(FailedMemory, ClosesALedgerThatReserves) {
  EXPECT_GT(fail_each(reserve, Memory::of_cpp), 5);
  EXPECT_GT(fail_each(reserve, Memory::of_sqlite), 5);
}

TEST(FailedMemory, ClosesALedgerThatSettles) {
  EXPECT_GT(fail_each(settle, Memory::of_cpp), 5);
  EXPECT_GT(fail_each(settle, Memory::of_sqlite), 5);
}

TEST(FailedMemory, ClosesALedgerThatAnswersAgain) {
  EXPECT_GT(fail_each(ask_again, Memory::of_cpp), 5);
  EXPECT_GT(fail_each(ask_again, Memory::of_sqlite), 5);
}

}  // namespace
}  // namespace vernier::testing
