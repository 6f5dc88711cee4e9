#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/store_place.hpp"

namespace vernier::testing {

inline std::string hash_like(std::int64_t index) { return std::string(60, 'a') + std::to_string(1000 + index % 9000); }

inline ledger::Entry first_entry() {
  ledger::Entry entry;
  entry.index = 1;
  entry.content = "terms";
  entry.hash = hash_like(1);
  return entry;
}

// Of release "r7" and request "q7" for index 7.
inline ledger::Entry reserve(std::int64_t index, ledger::Cost cost = {1, 0}) {
  ledger::Entry entry;
  entry.index = index;
  entry.kind = ledger::Kind::reserve;
  entry.time = 1700000000 + index;
  entry.release.append("r").append(std::to_string(index));
  entry.request.append("q").append(std::to_string(index));
  entry.analyst = "rosa";
  entry.study = "visits per week";
  entry.unit = "patient";
  entry.plan = std::string(64, 'b');
  entry.cost = cost;
  entry.hash = hash_like(index);
  return entry;
}

inline ledger::Entry settle(std::int64_t index, const std::string& release) {
  ledger::Entry entry;
  entry.index = index;
  entry.kind = ledger::Kind::settle;
  entry.release = release;
  entry.content = "documents";
  entry.hash = hash_like(index);
  return entry;
}

// Tests that hold for every kind of store, each in a place of its own.
class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (!GetParam().is_here()) GTEST_SKIP() << GetParam().name << " is not installed; tools/setup does that";
    place_ = GetParam().make();
  }

  const StorePlace& place() const { return *place_; }

  std::unique_ptr<ledger::Store> opened() const {
    auto store = place().open(ledger::Missing::is_made);
    if (!store) throw std::runtime_error(store.error().sentence());
    return std::move(*store);
  }

  static std::unique_ptr<ledger::Transaction> begun(ledger::Store& store, ledger::Access access) {
    auto transaction = store.begin(access);
    if (!transaction) throw std::runtime_error(transaction.error().sentence());
    return std::move(*transaction);
  }

  // A store with this many entries, all but the first of which cost one quantum of epsilon.
  std::unique_ptr<ledger::Store> begun_store(ledger::Cost budget, std::int64_t entries) const {
    auto store = opened();
    auto work = begun(*store, ledger::Access::write);
    expect_done(work->begin(first_entry(), budget));
    for (std::int64_t index = 2; index <= entries; ++index) {
      expect_done(work->append(reserve(index)));
      if (index % 200 != 0) continue;  // PostgreSQL walks over all versions of its tally in one transaction
      expect_done(work->commit());
      work.reset();
      work = begun(*store, ledger::Access::write);
    }
    expect_done(work->commit());
    return store;
  }

  static std::vector<ledger::Entry> entries_after(ledger::Transaction& transaction, std::int64_t index) {
    std::vector<ledger::Entry> entries;
    expect_done(transaction.visit_after(index, [&](const ledger::Entry& entry) -> Result<void> {
      entries.push_back(entry);
      return {};
    }));
    return entries;
  }

  // What a thread may run: an exception is a failure of the test, not the end of the program.
  static void without_throwing(const std::function<void()>& work) {
    try {
      work();
    } catch (const std::exception& problem) {
      ADD_FAILURE() << problem.what();
    }
  }

  static void expect_done(const Result<void>& result) { EXPECT_TRUE(result) << result.error().sentence(); }

  static void expect_tally(ledger::Transaction& transaction, const ledger::Entry& last, ledger::Cost left) {
    const auto tally = transaction.tally();
    ASSERT_TRUE(tally) << tally.error().sentence();
    ASSERT_TRUE(*tally);
    EXPECT_EQ((*tally)->position, (ledger::Position{last.index, last.hash}));
    EXPECT_EQ((*tally)->left, left);
  }

  // The step is refused with words like these, nothing can be committed after it, and nothing has changed.
  static void expect_refused(ledger::Store& store, const std::function<Result<void>(ledger::Transaction&)>& step,
                             const std::string& words) {
    const auto before = entries_after(*begun(store, ledger::Access::read), 0);
    {
      const auto work = begun(store, ledger::Access::write);
      const Result<void> refused = step(*work);
      ASSERT_FALSE(refused);
      EXPECT_EQ(refused.error().kind, ErrorKind::system);
      EXPECT_NE(refused.error().sentence().find(words), std::string::npos) << refused.error().sentence();
      EXPECT_NE(refused.error().sentence().find(store.name()), std::string::npos) << refused.error().sentence();
      EXPECT_FALSE(work->commit());
    }
    EXPECT_EQ(entries_after(*begun(store, ledger::Access::read), 0), before);
  }

 private:
  std::unique_ptr<StorePlace> place_;
};

}  // namespace vernier::testing
