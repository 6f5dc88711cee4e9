#include "vernier/ledger/sqlite/keys.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace vernier::ledger::sqlite {
namespace {

std::vector<std::int64_t> all(Keys::Search search) {
  std::vector<std::int64_t> indexes;
  while (const std::int64_t index = search.next()) indexes.push_back(index);
  return indexes;
}

using Indexes = std::vector<std::int64_t>;

Keys filled(std::int64_t entries) {
  Keys keys(KeyedHash(1, 2));
  for (std::int64_t index = 1; index <= entries; ++index) {
    const std::string number = std::to_string(index);
    keys.add(index, {Kind::reserve, "release " + number, "request " + number});
  }
  return keys;
}

TEST(SqliteKeys, FindsEveryEntryByItsReleaseAndItsRequest) {
  const Keys keys = filled(10000);
  EXPECT_EQ(keys.last(), 10000);
  for (std::int64_t index = 1; index <= 10000; ++index) {
    const std::string number = std::to_string(index);
    EXPECT_EQ(all(keys.of_release(Kind::reserve, "release " + number)), Indexes{index});
    EXPECT_EQ(all(keys.of_request("request " + number)), Indexes{index});
  }
}

TEST(SqliteKeys, FindsNothingWhereThereIsNothing) {
  EXPECT_EQ(all(filled(0).of_request("request 1")), Indexes());
  const Keys keys = filled(1000);
  EXPECT_EQ(all(keys.of_release(Kind::settle, "release 1")), Indexes()) << "of another kind";
  EXPECT_EQ(all(keys.of_request("release 1")), Indexes());
  EXPECT_EQ(all(keys.of_request("request 1001")), Indexes());
  EXPECT_EQ(all(keys.of_request("")), Indexes());
  EXPECT_EQ(all(keys.of_release(Kind::reserve, "")), Indexes());
}

TEST(SqliteKeys, TellsAllThatHaveTheSame) {
  Keys keys = filled(100);
  keys.add(101, {Kind::reserve, "another", "request 7"});
  keys.add(102, {Kind::settle, "another", "request 7"});  // which is the request of no reserve
  Indexes found = all(keys.of_request("request 7"));
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (Indexes{7, 101}));
  EXPECT_EQ(all(keys.of_release(Kind::settle, "another")), Indexes{102});
}

TEST(SqliteKeys, ForgetsAll) {
  Keys keys = filled(100);
  keys.forget();
  EXPECT_EQ(keys.last(), 0);
  EXPECT_EQ(all(keys.of_request("request 7")), Indexes());
  keys.add(1, {Kind::reserve, "a", "b"});
  EXPECT_EQ(all(keys.of_request("b")), Indexes{1});
}

}  // namespace
}  // namespace vernier::ledger::sqlite
