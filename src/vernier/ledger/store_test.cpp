#include <limits>

#include <gtest/gtest.h>

#include "support/store_contract.hpp"

// What store.hpp promises, of every store.
namespace vernier::ledger {
namespace {

using testing::first_entry;
using testing::reserve;
using testing::settle;
using testing::StoreContract;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

TEST_P(StoreContract, IsMissingUntilItIsMade) {
  ASSERT_FALSE(place().open(Missing::is_error));
  ASSERT_TRUE(place().open(Missing::is_made));
  const auto store = place().open(Missing::is_error);
  ASSERT_TRUE(store) << store.error().sentence();
  EXPECT_FALSE((*store)->name().empty());
}

TEST_P(StoreContract, HoldsNothingBeforeItBegins) {
  const auto store = opened();
  const auto view = begun(*store, Access::read);
  EXPECT_FALSE(view->tally().value());
  EXPECT_EQ(entries_after(*view, 0), std::vector<Entry>());
  EXPECT_FALSE(view->find_release(Kind::reserve, "r2").value());
  EXPECT_FALSE(view->find_request("q2").value());
  EXPECT_EQ(view->documents("r2").value(), Documents());
}

TEST_P(StoreContract, BeginsWithItsBudgetAndTakesEachCostFromIt) {
  const auto store = opened();
  const auto work = begun(*store, Access::write);
  expect_done(work->begin(first_entry(), {100, 10}));
  expect_tally(*work, first_entry(), {100, 10});
  expect_done(work->append(reserve(2, {70, 0})));
  expect_tally(*work, reserve(2), {30, 10});
  expect_done(work->append(reserve(3, {30, 10})));
  expect_tally(*work, reserve(3), {0, 0});
  expect_done(work->commit());
  expect_tally(*begun(*opened(), Access::read), reserve(3), {0, 0});
}

TEST_P(StoreContract, GivesBackEveryFieldAsItWas) {
  const auto store = opened();
  Entry odd = reserve(2, {most, most});
  odd.time = least;
  odd.request = "';DROP TABLE entries;--";
  odd.analyst = "Zoë \xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x94\xAC \"quoted\" \\back $1 ? %s";
  odd.study = "two\nlines\r\n\tand a tab";
  odd.unit = "";
  odd.plan = std::string(1 << 20, 'p');
  odd.content = " {\"a\": [1, null]} ";
  odd.manner = Manner::divergence;
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->begin(first_entry(), {most, most}));
    expect_done(work->append(odd));
    expect_done(work->commit());
  }
  const auto view = begun(*store, Access::read);
  EXPECT_EQ(entries_after(*view, 0), (std::vector<Entry>{first_entry(), odd}));
  EXPECT_EQ(view->find_request(odd.request).value(), odd);
  expect_tally(*view, odd, {0, 0});
}

TEST_P(StoreContract, VisitsInOrderFromAnyIndexAndStopsAtAnError) {
  const auto store = begun_store({1000, 0}, 5);
  const auto view = begun(*store, Access::read);
  EXPECT_EQ(entries_after(*view, 3), (std::vector<Entry>{reserve(4), reserve(5)}));
  EXPECT_EQ(entries_after(*view, 5), std::vector<Entry>());
  int seen = 0;
  const Result<void> stopped = view->visit_after(
      0, [&](const Entry&) -> Result<void> { return ++seen == 2 ? Result<void>(invalid("enough")) : Result<void>(); });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().sentence(), "enough");
  EXPECT_EQ(seen, 2);
}

TEST_P(StoreContract, MayBeAskedWhileItIsVisited) {
  const auto store = begun_store({1000, 0}, 4);
  const auto view = begun(*store, Access::read);
  int found = 0;
  expect_done(view->visit_after(1, [&](const Entry& entry) -> Result<void> {
    found += view->find_release(Kind::reserve, entry.release).value() == entry ? 1 : 0;
    return {};
  }));
  EXPECT_EQ(found, 3);
}

TEST_P(StoreContract, VisitsTwentyThousandEntriesWithoutAGap) {
  const auto store = begun_store({1000000, 0}, 20000);
  const auto view = begun(*store, Access::read);
  std::int64_t next = 1;
  expect_done(view->visit_after(0, [&](const Entry& entry) -> Result<void> {
    return entry.index == next++ ? Result<void>() : Result<void>(invalid("a gap"));
  }));
  EXPECT_EQ(next, 20001);
}

TEST_P(StoreContract, FindsByReleaseAndKindAndByRequest) {
  const auto store = begun_store({1000, 0}, 3);
  const auto work = begun(*store, Access::write);
  expect_done(work->append(settle(4, "r2")));
  EXPECT_EQ(work->find_release(Kind::reserve, "r2").value(), reserve(2));
  EXPECT_EQ(work->find_release(Kind::settle, "r2").value(), settle(4, "r2"));
  EXPECT_FALSE(work->find_release(Kind::settle, "r3").value());
  EXPECT_FALSE(work->find_release(Kind::terms, "").value());
  EXPECT_EQ(work->find_request("q3").value(), reserve(3));
  EXPECT_FALSE(work->find_request("q4").value());
  EXPECT_FALSE(work->find_request("").value());
}

TEST_P(StoreContract, TakesAReleaseAndARequestOnlyOnce) {
  const auto store = begun_store({1000, 0}, 3);
  Entry same_release = reserve(4);
  same_release.release = "r2";
  expect_refused(
      *store, [&](Transaction& work) { return work.append(same_release); }, "already");
  Entry same_request = reserve(4);
  same_request.request = "q2";
  expect_refused(
      *store, [&](Transaction& work) { return work.append(same_request); }, "already");
  const auto work = begun(*store, Access::write);
  Entry without_request = reserve(4);
  without_request.request = "";
  expect_done(work->append(without_request));
  without_request = reserve(5);
  without_request.request = "";
  EXPECT_TRUE(work->append(without_request)) << "an empty request is none";
}

TEST_P(StoreContract, KeepsDocumentsInTheirOrderAndByteForByte) {
  const auto store = begun_store({1000, 0}, 2);
  std::string every_byte;
  for (int byte = 0; byte < 256; ++byte) every_byte.push_back(static_cast<char>(byte));
  const Documents documents = {{"release.json", "{}"}, {"a.csv", every_byte}, {"empty", ""}, {"Zoë's", "'\n"}};
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->keep("r2", documents));
    EXPECT_EQ(work->documents("r2").value(), documents);
    expect_done(work->commit());
  }
  EXPECT_EQ(begun(*store, Access::read)->documents("r2").value(), documents);
  EXPECT_EQ(begun(*store, Access::read)->documents("r3").value(), Documents());
  expect_refused(
      *store,
      [&](Transaction& work) {
        return work.keep("r2", {{"release.json", "[]"}});
      },
      "already");
}

TEST_P(StoreContract, UndoesWhatWasNotCommitted) {
  const auto store = begun_store({1000, 0}, 2);
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->append(reserve(3, {1, 0})));
    expect_done(work->keep("r2", {{"release.json", "{}"}}));
  }
  const auto view = begun(*store, Access::read);
  expect_tally(*view, reserve(2), {999, 0});
  EXPECT_EQ(entries_after(*view, 2), std::vector<Entry>());
  EXPECT_EQ(view->documents("r2").value(), Documents());
}

// Neither in what follows nor in what another writes instead.
TEST_P(StoreContract, ForgetsTheRequestsOfWhatWasNotCommitted) {
  const auto store = begun_store({1000, 0}, 2);
  expect_done(begun(*store, Access::write)->append(reserve(3)));
  {
    const auto work = begun(*store, Access::write);
    EXPECT_FALSE(work->find_request("q3").value());
    EXPECT_FALSE(work->find_release(Kind::reserve, "r3").value());
    EXPECT_EQ(work->find_request("q2").value(), reserve(2));
  }
  const auto other = opened();
  Entry instead = reserve(3);
  instead.release = "another";
  instead.request = "another request";
  {
    const auto work = begun(*other, Access::write);
    expect_done(work->append(instead));
    expect_done(work->commit());
  }
  const auto work = begun(*store, Access::write);
  EXPECT_FALSE(work->find_request("q3").value());
  EXPECT_EQ(work->find_request("another request").value(), instead);
  EXPECT_EQ(work->find_release(Kind::reserve, "another").value(), instead);
}

TEST_P(StoreContract, RefusesARequestThatAnotherProcessMade) {
  const auto store = begun_store({1000, 0}, 2);
  {
    const auto work = begun(*store, Access::write);
    expect_done(work->append(reserve(3)));
    expect_done(work->append(settle(4, "r3")));
    expect_done(work->commit());
  }
  Entry same_request = reserve(5), same_release = reserve(5);
  same_request.request = "q3";
  same_release.release = "r3";
  for (const Entry& twin : {same_request, same_release, settle(5, "r3")}) {
    const auto third = opened();  // which has read nothing yet
    const Result<void> refused = begun(*third, Access::write)->append(twin);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().sentence().find("already"), std::string::npos) << refused.error().sentence();
  }
}

TEST_P(StoreContract, ShowsAViewThatDoesNotChange) {
  const auto store = begun_store({1000, 0}, 2);
  const auto view = begun(*store, Access::read);
  const auto other = opened();
  {
    const auto work = begun(*other, Access::write);
    expect_done(work->append(reserve(3, {1, 0})));
    expect_done(work->commit());
  }
  expect_tally(*view, reserve(2), {999, 0});
  EXPECT_EQ(entries_after(*view, 2), std::vector<Entry>());
  EXPECT_EQ(entries_after(*begun(*other, Access::read), 2).size(), 1U);
}

TEST_P(StoreContract, IsSharedByAllThatOpenIt) {
  const auto one = begun_store({1000, 0}, 2);
  const auto two = opened();
  for (std::int64_t index = 3; index < 9; ++index) {
    const auto work = begun(index % 2 == 0 ? *one : *two, Access::write);
    expect_tally(*work, reserve(index - 1), {1000 - (index - 2), 0});
    expect_done(work->append(reserve(index, {1, 0})));
    expect_done(work->commit());
  }
  EXPECT_EQ(entries_after(*begun(*one, Access::read), 0), entries_after(*begun(*two, Access::read), 0));
}

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, ::testing::Values(testing::sqlite_stores));
INSTANTIATE_TEST_SUITE_P(Postgresql, StoreContract, ::testing::Values(testing::postgresql_stores));

}  // namespace
}  // namespace vernier::ledger
