#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <sys/wait.h>

#include "ledger/killing_vfs.hpp"
#include "ledger/races/lives.hpp"
#include "ledger/races/needed.hpp"
#include "support/temporary_folder.hpp"
#include "vernier/ledger/sqlite/store.hpp"

// kill -9 at any moment: nothing is answered that was not debited, and nothing that was answered is lost.
namespace vernier::testing {

using namespace ledger;

namespace {

constexpr int lifetime = 1000;  // more requests than anybody answers before the end

class FileHome {
 public:
  explicit FileHome(const std::filesystem::path& in) : folder_(in) {}

  Home home(const std::string& vfs = {}) const {
    const std::filesystem::path path = folder_.path() / "ledger";
    return {[path, vfs] { return needed(open_sqlite(path, Missing::is_made, vfs)); },
            terms_of_units(1000000),
            {.file = folder_.path() / "witness"}};
  }

 private:
  TemporaryFolder folder_;
};

// One life in four ends while it opens the ledger, the others when they have opened it.
void kill_at_random(const Child& child, std::mt19937_64& chance) {
  if (chance() % 4 != 0) wait_for_words(child);
  std::this_thread::sleep_for(std::chrono::microseconds(chance() % 12000));
  ::kill(child.process, SIGKILL);
}

// One life, or two at once, each killed at a moment of its own.
void live_and_die(const Home& home, const std::string& name, int lives, std::mt19937_64& chance, Witnessed& said) {
  std::vector<Child> children;
  for (int i = 0; i < lives; ++i) {
    const std::string own = name + (i == 0 ? "a" : "b");
    children.push_back(start_child([&](const Say& say) { live(home, own, lifetime, Order::settled_first, say); }));
  }
  for (const Child& child : children) {
    kill_at_random(child, chance);
    end_of(child);
    said.add(lines_of(child));
  }
}

// A new ledger after every 15 lives, which all of them share.
void expect_nothing_lost_by_kills(int cycles, std::uint64_t seed) {
  std::mt19937_64 chance(seed);
  std::size_t answers = 0;
  for (int first = 0; first < cycles; first += 15) {
    const FileHome place(first % 75 == 15 ? std::filesystem::temp_directory_path() : quick_folder());
    Witnessed said;
    for (int cycle = first; cycle < std::min(cycles, first + 15); ++cycle) {
      live_and_die(place.home(), "life" + std::to_string(cycle), 1 + cycle % 2, chance, said);
      ASSERT_EQ(told(faults_of_lives(place.home(), said)), "") << "cycle " << cycle << " of seed " << seed;
    }
    ASSERT_EQ(told(said.errors), "");
    answers += said.answered.size();
  }
  EXPECT_GT(answers, static_cast<std::size_t>(cycles) / 2) << "hardly anybody lived long enough to answer";
}

TEST(Kill, TwentyAtRandomMomentsLoseNothing) { expect_nothing_lost_by_kills(20, 1); }
TEST(SlowKill, ThreeHundredAtRandomMomentsLoseNothing) { expect_nothing_lost_by_kills(300, 2); }
TEST(HeavyKill, ThousandAtRandomMomentsLoseNothing) { expect_nothing_lost_by_kills(1000, 3); }
TEST(HeavyKill, ThousandMoreLoseNothing) { expect_nothing_lost_by_kills(1000, 4); }
TEST(HeavyKill, AndAThousandMoreLoseNothing) { expect_nothing_lost_by_kills(1000, 5); }

struct Deaths {
  int killed = 0;
  std::vector<std::string> faults = {};
};

// A life of two requests that ends at the n-th call of the files, for every n until it ends by itself; or until the
// first fault. The ledger is a new one each time, or one with a history.
Deaths kill_at_every_call(Order order, Moment moment, int every, bool is_new) {
  Deaths deaths;
  for (std::int64_t call = 1;; call += every) {
    const FileHome place(quick_folder());
    Witnessed said;
    if (!is_new) {
      said.add(lines_of(start_child([&](const Say& say) { live(place.home(), "before", 1, order, say); })));
    }
    const Child child = start_child([&](const Say& say) {
      const Home home = place.home(install_killing_vfs());
      kill_at(call, moment);
      live(home, "life", 2, order, say);
    });
    said.add(lines_of(child));
    const int status = end_of(child);
    deaths.faults = faults_of_lives(place.home(), said);
    deaths.faults.insert(deaths.faults.end(), said.errors.begin(), said.errors.end());
    if (!deaths.faults.empty() || status == 0) return deaths;
    if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL) deaths.faults.emplace_back("it ended in another way");
    ++deaths.killed;
  }
}

void expect_no_fault(const Deaths& deaths, int least) {
  EXPECT_EQ(told(deaths.faults), "");
  EXPECT_GE(deaths.killed, least);
}

TEST(SlowKill, AtEveryCallOfANewLedgerLosesNothing) {
  expect_no_fault(kill_at_every_call(Order::settled_first, Moment::halfway, 1, true), 100);
}

TEST(SlowKill, AtEveryCallOfALedgerWithAHistoryLosesNothing) {
  expect_no_fault(kill_at_every_call(Order::settled_first, Moment::before, 1, false), 50);
}

TEST(HeavyKill, AtEveryCallInEveryWayLosesNothing) {
  for (int round = 0; round < 5; ++round) {
    for (const bool is_new : {true, false}) {
      expect_no_fault(kill_at_every_call(Order::settled_first, Moment::before, 1, is_new), 50);
      expect_no_fault(kill_at_every_call(Order::settled_first, Moment::halfway, 1, is_new), 50);
    }
  }
}

bool has(const std::vector<std::string>& faults, const std::string& words) {
  for (const std::string& fault : faults) {
    if (fault.find(words) != std::string::npos) return true;
  }
  return false;
}

// The same check finds programs that answer too early.
TEST(MutantOfKill, AnswersBeforeTheDebitAndIsFound) {
  const Deaths deaths = kill_at_every_call(Order::before_it_is_paid, Moment::before, 3, true);
  EXPECT_TRUE(has(deaths.faults, "was released and not paid for")) << told(deaths.faults);
}

TEST(MutantOfKill, AnswersBeforeItIsSettledAndIsFound) {
  const Deaths deaths = kill_at_every_call(Order::before_it_is_settled, Moment::before, 3, true);
  EXPECT_TRUE(has(deaths.faults, "was lost")) << told(deaths.faults);
}

}  // namespace
}  // namespace vernier::testing
