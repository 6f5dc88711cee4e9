#include "vernier/ledger/ledger.hpp"

#include <filesystem>

#include "support/ledger_on_file.hpp"

namespace vernier::ledger {
namespace {

using testing::costing;
using testing::decimal;
using testing::documents;
using testing::LedgerOnFile;
using testing::pure;
using testing::tenth;
namespace fs = std::filesystem;

std::int64_t left(const Ledger& ledger) { return ledger.book().balance().left.epsilon; }

TEST_F(LedgerOnFile, SpendsToTheLastQuantumAndThenRefuses) {
  const auto ledger = open().value();
  for (int i = 0; i < 10; ++i) {
    const Result<Reservation> paid = ledger->reserve(costing(tenth));
    ASSERT_TRUE(paid) << paid.error().sentence();
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
  EXPECT_EQ(ledger->reserve(plan).error().sentence(),
            "the request 'r1' was made before for another plan, analyst, catalog or source of data, as entry 2; choose "
            "another id for a new request");
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
