#include <algorithm>
#include <chrono>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "ledger/races/lives.hpp"
#include "ledger/races/needed.hpp"
#include "support/store_place.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/random/entropy.hpp"

// Requests that come again and again, in any order, from everywhere: the same bytes, one charge.
namespace vernier::testing {

using namespace ledger;

namespace {

struct Load {
  int ids;
  int copies;  // of each
  CrewSize crew;
};

// What a client does with a request that was made before. The second is a mutant.
enum class Retry : std::uint8_t { takes_what_is_stored, makes_a_new_answer };

// Which requests a client makes: its part of all copies, in an order of its own.
std::vector<int> ids_of(const Load& load, int client) {
  std::vector<int> all;
  for (int i = 0; i < load.ids * load.copies; ++i) all.push_back(i % load.ids);
  std::shuffle(all.begin(), all.end(), std::mt19937_64(7));
  std::vector<int> own;
  const int clients = load.crew.processes * load.crew.threads;
  for (std::size_t i = static_cast<std::size_t>(client); i < all.size(); i += static_cast<std::size_t>(clients)) {
    own.push_back(all[i]);
  }
  return own;
}

std::string fresh_content() {
  std::array<std::byte, 16> bytes;
  needed(random::KernelEntropy::read(bytes));
  return hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::string digest(const Documents& documents) { return needed(digest_of(documents)); }

// The digest of the answer; whoever finds the request unanswered waits, since somebody is about to answer it.
std::string answer_to(Ledger& ledger, const Home& home, const std::string& request, int client, Retry retry) {
  Spend spend = spend_of_request(home, request);
  spend.release += "-by-" + std::to_string(client);
  for (int tries = 0; tries < 20000; ++tries) {
    const Reservation standing = needed(ledger.reserve(spend));
    if (std::holds_alternative<Granted>(standing)) {
      const Documents made = documents_of(fresh_content());
      needed(ledger.settle(spend.release, made));
      return digest(made);
    }
    if (retry == Retry::makes_a_new_answer) return digest(documents_of(fresh_content()));
    if (const auto* answered = std::get_if<Answered>(&standing)) return digest(answered->documents);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  throw std::runtime_error(request + " was never answered");
}

Client requester(std::shared_ptr<Ledger> ledger, const Home& home, const Load& load, Retry retry) {
  return [=](int client, const Say& say) {
    for (const int id : ids_of(load, client)) {
      std::string request = "q";
      request.append(std::to_string(id));
      say(request + " " + answer_to(*ledger, home, request, client, retry));
    }
  };
}

// One charge for each id, and whoever asked has the bytes that are stored.
std::vector<std::string> faults_of_requests(const std::vector<std::string>& lines, const Audit& found, const Load& load,
                                            const Terms& terms) {
  std::vector<std::string> faults = faults_of(found, terms);
  std::map<std::string, std::string> stored;
  std::map<std::string, std::string> request_of;
  for (const Entry& entry : found.entries) {
    if (entry.kind == Kind::reserve) request_of[entry.release] = entry.request;
    if (entry.kind == Kind::settle) stored[request_of[entry.release]] = entry.content;
  }
  int answers = 0;
  for (const std::string& line : lines) {
    std::istringstream in(line);
    std::string request, told_digest;
    in >> request >> told_digest;
    if (request == "error:")
      faults.push_back(line);
    else if (++answers; stored[request] != told_digest)
      faults.push_back(request + " got other bytes");
  }
  if (answers != load.ids * load.copies) faults.emplace_back("answers are missing");
  if (count(found, Kind::reserve) != load.ids) faults.emplace_back("the charges are not one for each request");
  return faults;
}

class Requests : public ::testing::TestWithParam<StoreKind> {
 protected:
  void SetUp() override {
    if (!GetParam().is_here()) GTEST_SKIP() << GetParam().name << " is not installed; tools/setup does that";
    place_ = GetParam().make();
  }
  Home home() const {
    return {[this] { return needed(place_->open(Missing::is_made)); },
            terms_of_units(1000000),
            {.file = folder_.path() / "witness"}};
  }
  std::vector<std::string> faults_in_processes(const Load& load, Retry retry) const {
    const auto lines = run_crew(load.crew, [&] { return requester(home().open(), home(), load, retry); });
    return faults_of_requests(lines, audit(*home().store(), home().terms, home().witness), load, home().terms);
  }
  std::vector<std::string> faults_in_threads(const Load& load) const {
    const auto lines =
        run_threads(load.crew.threads, requester(home().open(), home(), load, Retry::takes_what_is_stored));
    return faults_of_requests(lines, audit(*home().store(), home().terms, home().witness), load, home().terms);
  }
  std::unique_ptr<StorePlace> place_;
  TemporaryFolder folder_;
};
using GreatRequests = Requests;
using ManyRequests = Requests;

TEST_P(Requests, OfSomeThreadsAreAnsweredOnceEach) { EXPECT_EQ(told(faults_in_threads({10, 6, {1, 4}})), ""); }

TEST_P(GreatRequests, ThousandDuplicatesAreAnsweredOnceEach) {
  EXPECT_EQ(told(faults_in_processes({100, 10, {4, 4}}, Retry::takes_what_is_stored)), "");
}

TEST_P(ManyRequests, TenThousandDuplicatesAreAnsweredOnceEach) {
  EXPECT_EQ(told(faults_in_processes({500, 20, {4, 8}}, Retry::takes_what_is_stored)), "");
}

// What the one request answers, the other may not: another plan, another analyst; and a new id is a new charge.
TEST_P(Requests, AreKnownByTheirIdAndNotByTheirText) {
  const auto ledger = home().open();
  Spend spend = spend_of_request(home(), "q1");
  needed(ledger->reserve(spend));
  needed(ledger->settle(spend.release, documents_of("1")));
  const Cost left = ledger->book().balance().left;
  Spend other_plan = spend;
  other_plan.plan = std::string(64, 'b');
  Spend other_analyst = spend;
  other_analyst.analyst = "rosa";
  for (const Spend& other : {other_plan, other_analyst}) {
    const auto refused = ledger->reserve(other);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, ErrorKind::invalid);
    EXPECT_NE(refused.error().sentence().find("another plan, analyst, catalog or source"), std::string::npos)
        << refused.error().sentence();
  }
  EXPECT_EQ(ledger->book().balance().left, left);
  Spend same_text = spend;
  same_text.request = "q2";
  same_text.release = "another";
  EXPECT_TRUE(std::holds_alternative<Granted>(needed(ledger->reserve(same_text))));
  EXPECT_EQ(left - ledger->book().balance().left, spend.price.total);
}

INSTANTIATE_TEST_SUITE_P(Sqlite, Requests, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(SlowSqlite, GreatRequests, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(HeavySqlite, ManyRequests, ::testing::Values(sqlite_stores));
INSTANTIATE_TEST_SUITE_P(SlowPostgresql, GreatRequests, ::testing::Values(postgresql_stores));
INSTANTIATE_TEST_SUITE_P(SlowPostgresqlOf, Requests, ::testing::Values(postgresql_stores));
INSTANTIATE_TEST_SUITE_P(HeavyPostgresql, ManyRequests, ::testing::Values(postgresql_stores));

// A program that computes a repeated request anew and charges nothing is found by the same check.
class MutantOfRequests : public Requests {};
TEST_P(MutantOfRequests, AnswersARetryAnewAndIsFound) {
  const auto faults = faults_in_processes({10, 4, {2, 2}}, Retry::makes_a_new_answer);
  EXPECT_NE(told(faults).find("got other bytes"), std::string::npos) << told(faults);
}
INSTANTIATE_TEST_SUITE_P(Sqlite, MutantOfRequests, ::testing::Values(sqlite_stores));

}  // namespace
}  // namespace vernier::testing
