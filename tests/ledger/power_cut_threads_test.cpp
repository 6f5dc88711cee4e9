#include <algorithm>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "ledger/ledger_client.hpp"

// Threads that share commits: of a group whose commit is cut off, all is in doubt, and nothing else.
namespace vernier::testing {
namespace {

constexpr int threads = 4, each = 5;

// The indices that were acknowledged to one thread, until the first error.
std::vector<std::int64_t> spend(ledger::Ledger& ledger, int thread) {
  std::vector<std::int64_t> acknowledged;
  for (int i = 0; i < each; ++i) {
    const auto answer = ledger.reserve(LedgerClient::spend_of(thread * each + i, 1));
    if (!answer) break;
    acknowledged.push_back(std::get<ledger::Granted>(*answer).receipt.index);
  }
  return acknowledged;
}

// All indices that were acknowledged, in order.
std::vector<std::int64_t> spend_until_it_stops(const SimulatedDisk& disk) {
  std::vector<std::int64_t> all;
  const auto ledger = LedgerClient::open(disk);
  if (!ledger) return all;
  std::vector<std::vector<std::int64_t>> of(threads);
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] { of[i] = spend(**ledger, static_cast<int>(i)); });
  }
  for (std::thread& thread : running) thread.join();
  for (const auto& one : of) all.insert(all.end(), one.begin(), one.end());
  std::sort(all.begin(), all.end());
  return all;
}

std::int64_t entries_on(const SimulatedDisk& disk) {
  const auto ledger = LedgerClient::open(disk);
  EXPECT_TRUE(ledger) << ledger.error().sentence();
  return ledger ? (*ledger)->book().position().index : 0;
}

TEST(PowerCut, LosesNothingOfThreadsThatShareCommits) {
  std::mt19937_64 chance(11);
  int partial = 0;
  for (int i = 0; i < 200; ++i) {
    SimulatedDisk disk;
    disk.stop_at(std::uniform_int_distribution<std::int64_t>(100, 350)(chance));
    const std::vector<std::int64_t> acknowledged = spend_until_it_stops(disk);
    disk.cut_power(chance());
    const std::int64_t found = entries_on(disk), last = acknowledged.empty() ? 0 : acknowledged.back();
    ASSERT_GE(found, last) << i;
    ASSERT_LE(found, static_cast<std::int64_t>(acknowledged.size()) + 1 + threads) << i;  // the terms, and one group
    if (!acknowledged.empty() && acknowledged.size() < std::size_t{threads} * each) ++partial;
  }
  EXPECT_GT(partial, 50);  // cut in the middle of spending
}

}  // namespace
}  // namespace vernier::testing
