#include <gtest/gtest.h>

#include "support/ledger_on_file.hpp"

// Ledgers that somebody changed who may write the file.
namespace vernier::ledger {
namespace {

using testing::costing;
using testing::documents;
using testing::Forger;
using testing::LedgerOnFile;
using testing::tenth;

class ForgedLedger : public LedgerOnFile {};

TEST_F(ForgedLedger, DoesNotAnswerWithDocumentsThatWereChanged) {
  const Spend spend = costing(tenth, "r1");
  ASSERT_TRUE(open().value()->reserve(spend));
  ASSERT_TRUE(open().value()->settle(spend.release, documents));
  Forger(path()).edit("UPDATE documents SET content = x'00' WHERE place = 0");
  const Result<Reservation> again = open().value()->reserve(costing(tenth, "r1"));
  ASSERT_FALSE(again);
  EXPECT_NE(again.error().sentence().find("the documents of entry 3 were changed after they were stored"),
            std::string::npos);
}

TEST_F(ForgedLedger, RefusesABalanceThatItsEntriesDoNotAddUpTo) {
  ASSERT_TRUE(open().value()->reserve(costing(tenth)));
  const auto before = open().value();
  Forger(path()).edit("UPDATE entries SET left_epsilon = left_epsilon + 1");
  EXPECT_NE(refusal().find("what it says is left is not what its entries add up to"), std::string::npos) << refusal();
  EXPECT_FALSE(before->reserve(costing(tenth)));
}

TEST_F(ForgedLedger, RefusesAnEntryThatSaysSomethingElseIsLeft) {
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
TEST_F(ForgedLedger, RefusesARequestOrAReleaseThatIsThereTwice) {
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

}  // namespace
}  // namespace vernier::ledger
