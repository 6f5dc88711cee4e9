#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "support/temporary_folder.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// A ledger in a SQLite file with a witness beside it, for tests to use and to forge.
namespace vernier::testing {

namespace fs = std::filesystem;
using namespace ledger;

inline numeric::Rational decimal(const char* text) { return *numeric::Rational::of_decimal(text); }
inline Terms pure(const char* epsilon) { return {Accountant::pure, decimal(epsilon), decimal("0")}; }

inline constexpr std::int64_t tenth = 100'000'000'000'000'000;  // of a budget of 1

inline Spend costing(std::int64_t epsilon, const std::string& request = "") {
  static int releases = 0;
  return {.release = "release " + std::to_string(++releases),
          .study = "a study",
          .plan = "abcd",
          .unit = "row",
          .price = {{epsilon, 0}},
          .request = request};
}

inline const Documents documents = {{"release.json", "{}\n"}, {"a.csv", std::string("a,b\n\0", 5)}};

class LedgerOnFile : public ::testing::Test {
 protected:
  fs::path path() const { return folder_.path() / "a.ledger"; }
  fs::path witness() const { return folder_.path() / "a.witness"; }

  Result<std::unique_ptr<Ledger>> open(const Terms& terms = pure("1"), Options options = {}) const {
    if (options.witness.is_nowhere()) options.witness.file = witness();
    return Ledger::open(open_sqlite(path(), Missing::is_made).value(), terms, options);
  }
  std::string refusal(const Terms& terms = pure("1")) const {
    const auto opened = open(terms);
    return opened ? "" : opened.error().sentence();
  }
  // Without the witness, which would have seen other hashes.
  std::string unwatched_refusal() const {
    const auto opened = Ledger::open(open_sqlite(path(), Missing::is_error).value(), pure("1"), {});
    return opened ? "" : opened.error().sentence();
  }
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    const auto add = [&](const Entry& entry) { return all.push_back(entry), Result<void>(); };
    EXPECT_TRUE(look(*open_sqlite(path(), Missing::is_error).value(), pure("1"), {}, add));
    return all;
  }
  // The file of a ledger that nobody has open, and back.
  void save(const char* name) const { fs::copy_file(path(), folder_.path() / name); }
  void restore(const char* name) const {
    for (const char* more : {"-wal", "-shm"}) fs::remove(path().string() + more);
    fs::copy_file(folder_.path() / name, path(), fs::copy_options::overwrite_existing);
  }

 private:
  TemporaryFolder folder_;
};

// As somebody does who may write the file: takes the triggers away and puts them back.
class Forger {
 public:
  explicit Forger(const fs::path& path) { sqlite3_open(path.c_str(), &file_); }
  Forger(const Forger&) = delete;
  Forger& operator=(const Forger&) = delete;
  ~Forger() { sqlite3_close(file_); }

  void edit(const std::string& sql) {
    const std::string drop = answers("SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_master WHERE type = 'trigger'");
    const std::string make = answers("SELECT sql || ';' FROM sqlite_master WHERE type = 'trigger'");
    for (const std::string& one : {drop, sql, make}) answers(one);
  }

 private:
  std::string answers(const std::string& sql) {
    std::string all;
    const auto add = [](void* to, int, char** cells, char**) { return *static_cast<std::string*>(to) += cells[0], 0; };
    EXPECT_EQ(sqlite3_exec(file_, sql.c_str(), add, &all, nullptr), SQLITE_OK) << sqlite3_errmsg(file_);
    return all;
  }
  sqlite3* file_ = nullptr;
};

}  // namespace vernier::testing
