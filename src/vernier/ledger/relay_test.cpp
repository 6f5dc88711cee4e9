#include <stdexcept>

#include <gtest/gtest.h>

#include "support/ledger_on_file.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/group_commit.hpp"
#include "vernier/ledger/sqlite/store.hpp"

namespace vernier::ledger {
namespace {

constexpr std::int64_t budget = 1000000000;

Entry reserve(std::int64_t index) {
  const std::string number = std::to_string(index);
  return {.index = index, .kind = Kind::reserve, .release = "r" + number, .request = "q" + number, .cost = {1, 0}};
}

std::vector<std::int64_t> numbers(std::int64_t first, std::int64_t last) {
  std::vector<std::int64_t> all;
  for (std::int64_t i = first; i <= last; ++i) all.push_back(i);
  return all;
}

TEST(RelayThread, VisitsEveryEntryInItsOrder) {
  for (const std::int64_t count : {0, 1, 255, 256, 257, 512, 513, 5000}) {
    std::vector<std::int64_t> seen;
    const Transaction::Visit visit = [&](const Entry& entry) -> Result<void> {
      EXPECT_EQ(entry, reserve(entry.index));
      seen.push_back(entry.index);
      return {};
    };
    Relay relay(visit);
    for (std::int64_t i = 1; i <= count; ++i) ASSERT_TRUE(relay.pass(reserve(i)));
    EXPECT_TRUE(relay.finish());
    EXPECT_EQ(seen, numbers(1, count));
  }
}

TEST(RelayThread, TellsTheFirstErrorAndVisitsNothingAfterIt) {
  for (const std::int64_t wrong : {1, 256, 257, 700, 1000}) {
    std::vector<std::int64_t> seen;
    const Transaction::Visit visit = [&](const Entry& entry) -> Result<void> {
      seen.push_back(entry.index);
      return entry.index < wrong ? Result<void>() : Result<void>(invalid("number " + std::to_string(entry.index)));
    };
    Relay relay(visit);
    for (std::int64_t i = 1; i <= 1000 && relay.pass(reserve(i)); ++i) continue;
    const Result<void> outcome = relay.finish();
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().sentence(), "number " + std::to_string(wrong));
    EXPECT_EQ(seen, numbers(1, wrong));
  }
}

TEST(RelayThread, AsksForNoMoreOnceAVisitHasFailed) {
  const Transaction::Visit visit = [](const Entry&) -> Result<void> { return invalid("no"); };
  Relay relay(visit);
  std::int64_t passed = 0;
  while (passed < 100000 && relay.pass(reserve(passed + 1))) ++passed;
  EXPECT_LT(passed, 1000);  // two batches, and what is being filled
  EXPECT_FALSE(relay.finish());
}

TEST(RelayThread, ThrowsWhatAVisitThrew) {
  const Transaction::Visit visit = [](const Entry& entry) -> Result<void> {
    if (entry.index == 300) throw std::bad_alloc();
    return {};
  };
  Relay relay(visit);
  for (std::int64_t i = 1; i <= 400 && relay.pass(reserve(i)); ++i) continue;
  EXPECT_THROW(static_cast<void>(relay.finish()), std::bad_alloc);
}

TEST(RelayThread, MayBeLeftBeforeItsEnd) {
  const Transaction::Visit visit = [](const Entry&) -> Result<void> { return {}; };
  for (const std::int64_t count : {0, 100, 256, 600}) {
    Relay relay(visit);
    for (std::int64_t i = 1; i <= count; ++i) ASSERT_TRUE(relay.pass(reserve(i)));
  }
}

class RelayThreadLong : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "ledger"; }
  std::unique_ptr<Store> open() const { return open_sqlite(path(), Missing::is_made).value(); }
  void make(std::int64_t entries) const {
    const auto store = open();
    const auto work = store->begin(Access::write).value();
    ASSERT_TRUE(work->begin({.index = 1, .kind = Kind::terms}, {budget, 0}));
    for (std::int64_t i = 2; i <= entries; ++i) ASSERT_TRUE(work->append(reserve(i)));
    ASSERT_TRUE(work->commit());
  }

 private:
  testing::TemporaryFolder folder_{testing::quick_folder()};
};

TEST_F(RelayThreadLong, ReadsAStoreInAnotherThreadAsVisitAfterDoes) {
  make(20000);
  const auto store = open();
  const auto view = store->begin(Access::read).value();
  const std::thread::id here = std::this_thread::get_id();
  std::vector<std::int64_t> seen;
  bool was_elsewhere = false;
  EXPECT_TRUE(visit_beside(*view, 20000, [&](const Entry& entry) -> Result<void> {
    seen.push_back(entry.index);
    was_elsewhere = std::this_thread::get_id() != here;
    return {};
  }));
  EXPECT_EQ(seen, numbers(1, 20000));
  EXPECT_EQ(was_elsewhere, std::thread::hardware_concurrency() > 1);
}

// What a visit finds in an entry is told before what the store finds in the same one, and after what it finds before.
TEST_F(RelayThreadLong, TellsWhichEntryIsWrongFirst) {
  make(20000);
  testing::Forger(path()).edit("UPDATE entries SET left_epsilon = left_epsilon + 1 WHERE idx = 15000");
  const auto store = open();
  const auto view = store->begin(Access::read).value();
  const auto sentence = [&](std::int64_t wrong) {
    const Result<void> found = visit_beside(*view, 20000, [&](const Entry& entry) -> Result<void> {
      return entry.index < wrong ? Result<void>() : Result<void>(invalid("the visit's"));
    });
    return found ? std::string() : found.error().sentence();
  };
  for (const std::int64_t wrong : {1, 14999, 15000}) EXPECT_EQ(sentence(wrong), "the visit's") << wrong;
  for (const std::int64_t wrong : {15001, 30000}) {
    EXPECT_EQ(sentence(wrong), "what entry 15000 says is left is not what the entries up to it leave") << wrong;
  }
}

}  // namespace
}  // namespace vernier::ledger
