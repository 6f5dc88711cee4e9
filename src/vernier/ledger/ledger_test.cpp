#include "vernier/ledger/ledger.hpp"

#include <filesystem>
#include <vector>

#include <gtest/gtest.h>
#include <sqlite3.h>

#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite_store.hpp"

namespace vernier::ledger {
namespace {

namespace fs = std::filesystem;
using numeric::Rational;

Rational decimal(const char* text) { return *Rational::of_decimal(text); }
Terms pure(const char* epsilon) { return {Accountant::pure, decimal(epsilon), decimal("0")}; }

constexpr std::int64_t tenth = 100'000'000'000'000'000;  // of a budget of 1

Spend costing(std::int64_t epsilon, const std::string& request = "") {
  static int releases = 0;
  return {.release = "release " + std::to_string(++releases),
          .study = "a study",
          .plan = "abcd",
          .unit = "row",
          .price = {{epsilon, 0}},
          .request = request};
}

const Documents documents = {{"release.json", "{}\n"}, {"a.csv", std::string("a,b\n\0", 5)}};

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
    return opened ? "" : opened.error().sentence;
  }
  // Without the witness, which would have seen other hashes.
  std::string unwatched_refusal() const {
    const auto opened = Ledger::open(open_sqlite(path(), Missing::is_error).value(), pure("1"), {});
    return opened ? "" : opened.error().sentence;
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
  testing::TemporaryFolder folder_;
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

std::int64_t left(const Ledger& ledger) { return ledger.book().balance().left.epsilon; }

TEST_F(LedgerOnFile, SpendsToTheLastQuantumAndThenRefuses) {
  const auto ledger = open().value();
  for (int i = 0; i < 10; ++i) {
    const Result<Reservation> paid = ledger->reserve(costing(tenth));
    ASSERT_TRUE(paid) << paid.error().sentence;
    EXPECT_EQ(std::get<Granted>(*paid).receipt.index, 2 + i);
    EXPECT_EQ(std::get<Granted>(*paid).receipt.head.size(), 64U);
  }
  const Result<Reservation> more = ledger->reserve(costing(1));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().kind, ErrorKind::exhausted);
  EXPECT_EQ(left(*ledger), 0);
}

TEST_F(LedgerOnFile, RemembersAcrossOpenings) {
  ASSERT_TRUE(open().value()->reserve(costing(4 * tenth)));
  const auto again = open().value();
  EXPECT_EQ(left(*again), 6 * tenth);
  EXPECT_EQ(again->book().position().index, 2);
  EXPECT_FALSE(again->reserve(costing(7 * tenth)));
}

// The other one's book is older than the store.
TEST_F(LedgerOnFile, LooksAtTheStoreBeforeEverySpend) {
  const auto one = open().value(), other = open().value();
  ASSERT_TRUE(one->reserve(costing(7 * tenth)));
  EXPECT_FALSE(other->reserve(costing(7 * tenth)));
  EXPECT_EQ(left(*other), 3 * tenth);
}

TEST_F(LedgerOnFile, RefusesOtherTermsAndTellsThoseItFound) {
  ASSERT_TRUE(open());
  EXPECT_EQ(refusal(pure("2")),
            "the ledger '" + path().string() +
                "' was begun with epsilon 1, delta 0, accountant pure and neighbours add-remove, but the catalog now "
                "says epsilon 2, delta 0, accountant pure and neighbours add-remove; what was promised stays: write "
                "those back, or begin another ledger");
  Terms replace = pure("1");
  replace.neighbours = privacy::Neighbours::replace;
  EXPECT_NE(refusal(replace), "");
  EXPECT_EQ(refusal(), "");
}

// ---- requests

TEST_F(LedgerOnFile, GivesTheSameAnswerToTheSameRequest) {
  const auto ledger = open().value();
  const Spend first = costing(tenth, "r1");
  ASSERT_TRUE(std::holds_alternative<Granted>(ledger->reserve(first).value()));
  ASSERT_TRUE(ledger->settle(first.release, documents));
  const Reservation again = open().value()->reserve(costing(tenth, "r1")).value();
  ASSERT_TRUE(std::holds_alternative<Answered>(again));
  EXPECT_EQ(std::get<Answered>(again).documents, documents);
  EXPECT_EQ(std::get<Answered>(again).receipt.index, 2);
  EXPECT_EQ(left(*ledger), 9 * tenth);
}

TEST_F(LedgerOnFile, TellsThatARequestWasPaidForAndHasNoAnswer) {
  const auto ledger = open().value();
  ASSERT_TRUE(ledger->reserve(costing(tenth, "r1")));
  EXPECT_TRUE(std::holds_alternative<Unanswered>(ledger->reserve(costing(tenth, "r1")).value()));
  EXPECT_EQ(left(*ledger), 9 * tenth);
}

TEST_F(LedgerOnFile, ChargesAnotherRequestAnew) {
  const auto ledger = open().value();
  for (const char* request : {"r1", "r2", "", ""}) ASSERT_TRUE(ledger->reserve(costing(tenth, request)));
  EXPECT_EQ(left(*ledger), 6 * tenth);
}

TEST_F(LedgerOnFile, RefusesARequestForAnotherPlanOrOfAnotherAnalyst) {
  const auto ledger = open().value();
  ASSERT_TRUE(ledger->reserve(costing(tenth, "r1")));
  Spend plan = costing(tenth, "r1"), analyst = plan;
  plan.plan = "ef";
  analyst.analyst = "ben";
  EXPECT_EQ(ledger->reserve(plan).error().sentence,
            "the request 'r1' was made before for another plan or analyst, as entry 2; choose another id for a new "
            "request");
  EXPECT_FALSE(ledger->reserve(analyst));
  EXPECT_EQ(left(*ledger), 9 * tenth);
}

TEST_F(LedgerOnFile, SettlesWhatWasReservedOnceAndForAll) {
  const auto ledger = open().value();
  const Spend spend = costing(tenth);
  EXPECT_FALSE(ledger->settle(spend.release, documents));
  ASSERT_TRUE(ledger->reserve(spend));
  const Receipt receipt = ledger->settle(spend.release, documents).value();
  EXPECT_EQ(ledger->settle(spend.release, documents)->index, receipt.index);
  EXPECT_FALSE(ledger->settle(spend.release, {{"release.json", "another"}}));
  EXPECT_EQ(open().value()->book().position().index, 3);
}

TEST_F(LedgerOnFile, RefusesWordsThatCannotBeRead) {
  const auto ledger = open().value();
  for (const std::string& word :
       {std::string("a\nb"), std::string("a\0b", 3), std::string("\xff"), std::string(300, 'x')}) {
    EXPECT_FALSE(ledger->reserve(costing(tenth, word))) << word;
    Spend spend = costing(tenth);
    spend.analyst = word;
    EXPECT_FALSE(ledger->reserve(spend)) << word;
  }
  EXPECT_EQ(left(*ledger), 10 * tenth);
}

TEST_F(LedgerOnFile, DoesNotAnswerWithDocumentsThatWereChanged) {
  const Spend spend = costing(tenth, "r1");
  ASSERT_TRUE(open().value()->reserve(spend));
  ASSERT_TRUE(open().value()->settle(spend.release, documents));
  Forger(path()).edit("UPDATE documents SET content = x'00' WHERE place = 0");
  const Result<Reservation> again = open().value()->reserve(costing(tenth, "r1"));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().sentence.find("the documents of entry 3 were changed after they were stored"),
            std::string::npos);
}

TEST_F(LedgerOnFile, RefusesABalanceThatItsEntriesDoNotAddUpTo) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  const auto before = open().value();
  Forger(path()).edit("UPDATE entries SET left_epsilon = left_epsilon + 1");
  EXPECT_NE(refusal().find("what it says is left is not what its entries add up to"), std::string::npos) << refusal();
  EXPECT_FALSE(before->reserve(costing(tenth)));
}

TEST_F(LedgerOnFile, RefusesAnEntryThatSaysSomethingElseIsLeft) {
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  for (const char* column : {"left_epsilon", "left_delta"}) {
    const std::string edit = "UPDATE entries SET " + std::string(column) + " = " + column;
    Forger(path()).edit(edit + " + 1 WHERE idx = 3");
    EXPECT_NE(refusal().find("what entry 3 says is left is not what the entries up to it leave"), std::string::npos)
        << refusal();
    Forger(path()).edit(edit + " - 1 WHERE idx = 3");
    EXPECT_EQ(refusal(), "");
  }
}

// As the file's own rules do not see it: with hashes that hold.
TEST_F(LedgerOnFile, RefusesARequestOrAReleaseThatIsThereTwice) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth, "r1")));
  ASSERT_TRUE(open().value()->reserve(costing(tenth, "r2")));
  const std::vector<Entry> whole = entries();
  for (const auto text : {&Entry::request, &Entry::release}) {
    Entry twin = whole[2];
    twin.*text = whole[1].*text;
    twin.hash = *hash_of(whole[1].hash, twin);
    Forger(path()).edit("UPDATE entries SET request = '" + twin.request + "', release = '" + twin.release +
                        "', hash = '" + twin.hash + "' WHERE idx = 3");
    EXPECT_NE(unwatched_refusal().find("entry 3 has the release or the request of entry 2 once more"),
              std::string::npos)
        << unwatched_refusal();
  }
}

// ---- shares

TEST_F(LedgerOnFile, WritesDownItsSharesWhereTheyAreNew) {
  const Options divided{.shares = {{"anna", decimal("0.5")}}};
  const auto ledger = open(pure("1"), divided).value();
  EXPECT_EQ(ledger->book().position().index, 2);
  EXPECT_FALSE(ledger->reserve(costing(tenth)));
  Spend annas = costing(5 * tenth);
  annas.analyst = "anna";
  EXPECT_TRUE(ledger->reserve(annas));
  EXPECT_EQ(open(pure("1"), divided).value()->book().position().index, 3);
  EXPECT_EQ(open().value()->book().shares(), Shares{});
}

// ---- the witness

TEST_F(LedgerOnFile, RefusesAnOlderCopy) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  save("old");
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  EXPECT_EQ(refusal(), "");
  restore("old");
  EXPECT_EQ(refusal(), "the ledger '" + path().string() + "' does not hold: the witness '" + witness().string() +
                           "' remembers 3 entries, but there are only 2: it is an older copy, or its end was cut off; "
                           "nothing is released against it, so bring it back as it was written");
}

// As far as it goes it is longer than what the witness saw, but not the same.
TEST_F(LedgerOnFile, RefusesAnOlderCopyThatWentOn) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  save("old");
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  restore("old");
  const auto unwatched = Ledger::open(open_sqlite(path(), Missing::is_made).value(), pure("1"), {}).value();
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(unwatched->reserve(costing(1)));
  EXPECT_NE(refusal().find("entry 3 is another one than the witness '"), std::string::npos) << refusal();
}

TEST_F(LedgerOnFile, RefusesToBeginAnewWhereTheWitnessSawALedger) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  fs::remove(path());
  EXPECT_NE(refusal().find("remembers 2 entries, but there are only 0"), std::string::npos) << refusal();
  EXPECT_NE(refusal(), "");  // and nothing was begun meanwhile
}

TEST_F(LedgerOnFile, RefusesAnotherLedgerThanTheWitnessSaw) {
  ASSERT_TRUE(open());
  fs::remove(path());
  ASSERT_TRUE(Ledger::open(open_sqlite(path(), Missing::is_made).value(), pure("1"), {}).value());
  EXPECT_NE(refusal().find("remembers 1 entry of another ledger; bring that one back"), std::string::npos) << refusal();
}

TEST_F(LedgerOnFile, IsOnlyLookedAtWithoutATrace) {
  ASSERT_TRUE(open());
  const auto store = open_sqlite(path(), Missing::is_error).value();
  std::int64_t seen = 0;
  const auto count = [&](const Entry& entry) -> Result<void> { return seen = entry.index, Result<void>(); };
  EXPECT_EQ(look(*store, pure("1"), {}, count).value()->position().index, 1);
  EXPECT_EQ(seen, 1);
  EXPECT_FALSE(look(*store, pure("2"), {}));
}

}  // namespace
}  // namespace vernier::ledger
