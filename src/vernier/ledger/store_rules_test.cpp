#include <atomic>
#include <barrier>
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "support/store_contract.hpp"

// What every store refuses by itself, past the book, and how it locks.
namespace vernier::ledger {
namespace {

using testing::first_entry;
using testing::reserve;

class StoreRules : public testing::StoreContract {};

TEST_P(StoreRules, RefusesAGap) {
  const auto store = begun_store({1000, 0}, 3);
  for (const std::int64_t index : {std::int64_t{0}, std::int64_t{1}, std::int64_t{3}, std::int64_t{5}, std::int64_t{-4},
                                   std::numeric_limits<std::int64_t>::max()}) {
    Entry entry = reserve(4);
    entry.index = index;
    expect_refused(
        *store, [&](Transaction& work) { return work.append(entry); }, "does not follow");
  }
}

TEST_P(StoreRules, BeginsOnlyOnceAndWithEntryOne) {
  const auto store = opened();
  Entry second = first_entry();
  second.index = 2;
  expect_refused(
      *store,
      [&](Transaction& work) {
        return work.begin(second, {10, 0});
      },
      "does not follow");
  expect_refused(
      *store, [&](Transaction& work) { return work.append(first_entry()); }, "has not begun");
  expect_refused(
      *store,
      [&](Transaction& work) {
        return work.begin(first_entry(), {-1, 0});
      },
      "budget");
  const auto other = begun_store({10, 0}, 1);
  expect_refused(
      *other,
      [&](Transaction& work) {
        return work.begin(first_entry(), {10, 0});
      },
      "does not follow");
}

TEST_P(StoreRules, RefusesABalanceBelowZero) {
  const auto store = begun_store({10, 5}, 2);
  for (const Cost cost : {Cost{10, 0}, Cost{0, 6}, Cost{std::numeric_limits<std::int64_t>::max(), 0}}) {
    expect_refused(
        *store, [&](Transaction& work) { return work.append(reserve(3, cost)); }, "more than is left");
  }
  expect_refused(
      *store,
      [&](Transaction& work) {
        expect_done(work.append(reserve(3, {8, 0})));
        return work.append(reserve(4, {2, 0}));
      },
      "more than is left");
  expect_tally(*begun(*store, Access::read), reserve(2), {9, 5});
}

TEST_P(StoreRules, RefusesACostBelowZero) {
  const auto store = begun_store({10, 5}, 2);
  for (const Cost cost : {Cost{-1, 0}, Cost{0, -1}, Cost{std::numeric_limits<std::int64_t>::min(), 0}}) {
    expect_refused(
        *store, [&](Transaction& work) { return work.append(reserve(3, cost)); }, "is no cost");
  }
}

TEST_P(StoreRules, RefusesTextsWithAZeroByte) {
  const auto store = begun_store({10, 5}, 2);
  Entry entry = reserve(3);
  entry.study = std::string("a\0b", 3);
  expect_refused(
      *store, [&](Transaction& work) { return work.append(entry); }, "zero byte");
  const std::string release("r\0", 2);
  expect_refused(
      *store, [&](Transaction& work) { return work.keep(release, {}); }, "zero byte");
}

// A row past the store, which says that so much is left, where the store has that in its rows.
std::string insert(const std::string& how, const std::string& index, int cost, int left) {
  const std::string columns = "idx, kind, time, release, request, analyst, study, unit, plan, manner, epsilon, delta";
  return how + " INTO $entries (" + columns + ", content, hash" + (left >= 0 ? ", left_epsilon, left_delta" : "") +
         ") VALUES (" + index + ", 'reserve', 0, 'r9', '', '', '', '', '', 'total', " + std::to_string(cost) +
         ", 0, '', 'h'" + (left >= 0 ? ", " + std::to_string(left) + ", 0)" : ")");
}

// What is left after entry 3 is 998.
const std::vector<std::string> changes_of_sqlite = {
    insert("INSERT", "9", 1, 997),
    insert("INSERT", "NULL", 1, 997),
    insert("INSERT OR REPLACE", "1", 0, 1000),
    insert("INSERT OR REPLACE", "3", 1, 998),
    insert("INSERT", "4", 1, 998),
    insert("INSERT", "4", -2, 1000),
    "UPDATE $entries SET left_epsilon = 1000 WHERE idx = 3",
    "UPDATE OR REPLACE $entries SET idx = 2 WHERE idx = 3",
};
const std::vector<std::string> changes_of_postgresql = {
    insert("INSERT", "9", 0, -1),
    insert("INSERT", "3", 0, -1),
    "UPDATE $tally SET left_epsilon = 1000",
    "UPDATE $tally SET left_epsilon = left_epsilon - 1",
    "UPDATE $tally SET idx = idx + 1",
    "UPDATE $tally SET idx = idx - 1",
    "UPDATE $tally SET head = ''",
    "DELETE FROM $tally",
    "INSERT INTO $tally VALUES (2, 1, '', 1000, 0)",
};

// Each would give budget back, hide a spend or change an answer.
TEST_P(StoreRules, RefusesChangesThroughSql) {
  const auto store = begun_store({1000, 0}, 3);
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->keep("r2", {{"release.json", "{}"}}));
    expect_done(work->commit());
  }
  std::vector<std::string> changes = {
      "UPDATE $entries SET epsilon = 0",
      "UPDATE $entries SET analyst = 'mallory' WHERE idx = 2",
      "DELETE FROM $entries WHERE idx = 3",
      "DELETE FROM $entries",
      "UPDATE $documents SET content = content",
      "DELETE FROM $documents",
      "INSERT INTO $documents SELECT * FROM $documents",
  };
  const auto& others = std::string(GetParam().name) == "Sqlite" ? changes_of_sqlite : changes_of_postgresql;
  changes.insert(changes.end(), others.begin(), others.end());
  for (const std::string& sql : changes) EXPECT_THROW(place().run(sql), std::runtime_error) << sql;
  expect_tally(*begun(*store, Access::read), reserve(3), {998, 0});
  EXPECT_EQ(entries_after(*begun(*store, Access::read), 0).size(), 3U);
}

TEST_P(StoreRules, IsRefusedOnceItsOwnRulesAreGone) {
  begun_store({1000, 0}, 2);
  place().run(std::string(GetParam().name) == "Sqlite" ? "DROP TRIGGER entries_stay"
                                                       : "ALTER TABLE $entries DISABLE TRIGGER vernier_stays");
  const auto store = place().open(Missing::is_error);
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().sentence().find("lacks rules"), std::string::npos) << store.error().sentence();
}

TEST_P(StoreRules, HasOneTransactionAtATime) {
  const auto store = begun_store({1000, 0}, 2);
  {
    const auto work = begun(*store, Access::write);
    EXPECT_FALSE(store->begin(Access::write));
    EXPECT_FALSE(store->begin(Access::read));
    expect_done(work->append(reserve(3)));
    expect_done(work->commit());
    EXPECT_FALSE(work->commit()) << "it was committed already";
    EXPECT_FALSE(work->append(reserve(4))) << "and so is written to no more";
    EXPECT_FALSE(work->keep("r3", {{"release.json", "{}"}}));
  }
  expect_tally(*begun(*opened(), Access::read), reserve(3), {998, 0});
}

TEST_P(StoreRules, WritesNothingInAView) {
  const auto store = begun_store({1000, 0}, 2);
  const auto view = begun(*store, Access::read);
  EXPECT_FALSE(view->append(reserve(3)));
  EXPECT_FALSE(view->keep("r2", {{"release.json", "{}"}}));
  EXPECT_FALSE(view->commit());
  EXPECT_EQ(entries_after(*view, 2), std::vector<Entry>());
}

TEST_P(StoreRules, LetsReadersReadWhileOneWrites) {
  const auto store = begun_store({1000, 0}, 2);
  const auto other = opened();
  const auto work = begun(*store, Access::write);
  expect_done(work->append(reserve(3)));
  expect_tally(*begun(*other, Access::read), reserve(2), {999, 0});
  expect_done(work->commit());
  expect_tally(*begun(*other, Access::read), reserve(3), {998, 0});
}

TEST_P(StoreRules, MakesThreadsThatWriteWaitForEachOther) {
  constexpr int writers = 4;
  constexpr int spends = 15;
  begun_store({1000, 0}, 1);
  std::barrier start(writers);
  std::vector<std::jthread> threads;
  for (int writer = 0; writer < writers; ++writer) {
    threads.emplace_back(without_throwing, [&] {
      start.arrive_and_wait();
      const auto store = opened();
      for (int spend = 0; spend < spends; ++spend) {
        const auto work = begun(*store, Access::write);
        const std::int64_t last = work->tally().value()->position.index;
        expect_done(work->append(reserve(last + 1)));
        expect_done(work->commit());
      }
    });
  }
  threads.clear();
  expect_tally(*begun(*opened(), Access::read), reserve(1 + writers * spends), {1000 - writers * spends, 0});
}

TEST_P(StoreRules, WaitsForAThreadThatHoldsTheLock) {
  const auto store = begun_store({1000, 0}, 2);
  const auto other = opened();
  auto work = begun(*store, Access::write);
  std::atomic<bool> has_lock = false;
  std::jthread waiter(without_throwing, [&] {
    const auto next = begun(*other, Access::write);
    has_lock = true;
    expect_tally(*next, reserve(3), {998, 0});
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_FALSE(has_lock);
  expect_done(work->append(reserve(3)));
  expect_done(work->commit());
  work.reset();
  waiter.join();
  EXPECT_TRUE(has_lock);
}

TEST_P(StoreRules, IsMadeOnceByThreadsThatBeginTogether) {
  constexpr int openers = 6;
  std::barrier start(openers);
  std::atomic<int> beginners = 0;
  std::vector<std::jthread> threads;
  for (int opener = 0; opener < openers; ++opener) {
    threads.emplace_back(without_throwing, [&] {
      start.arrive_and_wait();
      const auto store = opened();
      const auto work = begun(*store, Access::write);
      if (work->tally().value()) return;
      ++beginners;
      expect_done(work->begin(first_entry(), {1000, 0}));
      expect_done(work->commit());
    });
  }
  threads.clear();
  EXPECT_EQ(beginners, 1);
  expect_tally(*begun(*opened(), Access::read), first_entry(), {1000, 0});
}

TEST_P(StoreRules, IsBegunOnceByThreadsThatHaveItOpen) {
  constexpr int openers = 6;
  std::vector<std::unique_ptr<Store>> stores;
  for (int opener = 0; opener < openers; ++opener) stores.push_back(opened());
  std::barrier start(openers);
  std::atomic<int> beginners = 0;
  std::vector<std::jthread> threads;
  for (const auto& store : stores) {
    threads.emplace_back(without_throwing, [&] {
      start.arrive_and_wait();
      const auto work = begun(*store, Access::write);
      if (work->tally().value()) return;
      ++beginners;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      expect_done(work->begin(first_entry(), {1000, 0}));
      expect_done(work->commit());
    });
  }
  threads.clear();
  EXPECT_EQ(beginners, 1);
}

// Sleeps for half a minute, so only among the heavy ones.
class StoreWaits : public testing::StoreContract {};

TEST_P(StoreWaits, GiveUpAfterHalfAMinute) {
  const auto store = begun_store({1000, 0}, 2);
  const auto other = opened();
  const auto work = begun(*store, Access::write);
  const auto start = std::chrono::steady_clock::now();
  const auto refused = other->begin(Access::write);
  const auto waited = std::chrono::steady_clock::now() - start;
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().sentence().find("was held by another process for 30 seconds"), std::string::npos);
  EXPECT_GT(waited, std::chrono::seconds(29));
  EXPECT_LT(waited, std::chrono::seconds(35));
  EXPECT_TRUE(other->begin(Access::read)) << "it can still be used";
}

INSTANTIATE_TEST_SUITE_P(HeavySqlite, StoreWaits, ::testing::Values(testing::sqlite_stores));
INSTANTIATE_TEST_SUITE_P(HeavyPostgresql, StoreWaits, ::testing::Values(testing::postgresql_stores));
INSTANTIATE_TEST_SUITE_P(Sqlite, StoreRules, ::testing::Values(testing::sqlite_stores));
INSTANTIATE_TEST_SUITE_P(Postgresql, StoreRules, ::testing::Values(testing::postgresql_stores));

}  // namespace
}  // namespace vernier::ledger
