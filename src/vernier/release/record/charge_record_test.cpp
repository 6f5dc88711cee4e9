#include <gtest/gtest.h>

#include "support/changed_records.hpp"
#include "support/signed_releases.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/record/record.hpp"
#include "vernier/release/verify/verify.hpp"

// What a record says of the ledger's charge.
namespace vernier::release {
namespace {

using testing::Json;
using testing::problem_of;

// Sums, charged by divergence by the first release that is: it paid for the conversion.
Release opened() {
  Release release = testing::kind_of_release("sums");
  const ledger::Rules rules = ledger::rules_of(release.terms).value();
  const ledger::Cost divergence = price_of(release.plan, rules).value().divergence.value();
  release.taken = {ledger::Manner::divergence, divergence + rules.opening, rules.opening, {19, 5}};
  return release;
}

Json record_of(const Release& release) { return Json::parse(testing::record_of(release)); }

TEST(ChargeRecord, SaysApartWhatThePaymentForTheConversionIs) {
  const Json record = record_of(opened());
  const Json& opening = record["certificate"]["charge"]["opening"];
  EXPECT_EQ(opening["room_with_conversion"], 19);
  EXPECT_EQ(opening["room_by_totals"], 5);
  EXPECT_EQ(problem_of(record), "");
  const Result<Record> read = read_record(testing::record_of(opened()));
  ASSERT_TRUE(read) << read.error().sentence();
  EXPECT_EQ(read->charge.opening->room, (ledger::Room{19, 5}));
  EXPECT_LT(read->charge.opening->epsilon, read->charge.epsilon);
}

TEST(ChargeRecord, IsHeldToTheConversionThatItSays) {
  const Json record = record_of(opened());
  const auto problem_with = [&](const char* path, const Json& value) {
    Json changed = record;
    changed["certificate"]["charge"][Json::json_pointer(path)] = value;
    return problem_of(changed);
  };
  EXPECT_TRUE(problem_with("/opening/epsilon", "1/100").starts_with("charge: divergence"));
  EXPECT_TRUE(problem_with("/opening/delta", "0").starts_with("charge: divergence"));
  EXPECT_TRUE(problem_with("/manner", "total").starts_with("charge: total"));
  EXPECT_NE(problem_with("/opening/more", 1), "");
  EXPECT_NE(problem_with("/opening/room_by_totals", -1), "");
  Json without = record;  // as earlier versions wrote it
  without["certificate"]["charge"].erase("opening");
  EXPECT_EQ(problem_of(without), "");
  Release later = opened();
  later.taken.opening = {};
  later.taken.cost = price_of(later.plan, ledger::rules_of(later.terms).value()).value().divergence.value();
  EXPECT_EQ(problem_of(record_of(later)), "");
}

TEST(ChargeRecord, SaysThatNoWitnessIsKept) {
  Release release = testing::kind_of_release("sums");
  EXPECT_FALSE(record_of(release)["certificate"]["charge"].contains("witness"));
  release.witnessed = ledger::Witnessed::none;
  Json record = record_of(release);
  EXPECT_EQ(record["certificate"]["charge"]["witness"], "none");
  EXPECT_EQ(problem_of(record), "");
  record["certificate"]["charge"]["witness"] = "new";
  EXPECT_EQ(problem_of(record), "");
  for (const char* const other : {"w", "remembered"}) {
    record["certificate"]["charge"]["witness"] = other;
    EXPECT_NE(problem_of(record), "") << other;
  }
}

}  // namespace
}  // namespace vernier::release
