#include "server/worker/workers.hpp"

#include <chrono>
#include <map>

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Questions to programs that stand for a worker, and when each was told what.
class Asked {
 public:
  explicit Asked(std::vector<std::string> program, std::chrono::seconds time = 0s)
      : workers_(loop_, {std::move(program), 1, 8, 2, time}), begun_(Clock::now()) {}

  std::uint64_t ask(const std::string& owner, Slots slots = {}) {
    return workers_.ask(
        owner, {"head of " + owner, "body"},
        [this, owner](Ending ending, const Frame& answer) {
          told_[owner] = {ending, since(), answer.head};
          if (told_.size() >= wanted_) loop_.stop();
        },
        slots);
  }
  // Until so many were told.
  void run(std::size_t wanted) {
    wanted_ = wanted;
    if (told_.size() < wanted_) loop_.run();
  }

  struct Told {
    Ending ending;
    milliseconds after;
    std::string head;
  };
  const Told& told(const std::string& owner) const { return told_.at(owner); }
  bool was_told(const std::string& owner) const { return told_.contains(owner); }
  Workers& workers() { return workers_; }
  Loop& loop() { return loop_; }

 private:
  milliseconds since() const { return std::chrono::duration_cast<milliseconds>(Clock::now() - begun_); }

  Loop loop_;
  Workers workers_;
  Clock::time_point begun_;
  std::map<std::string, Told> told_;
  std::size_t wanted_ = 1;
};

TEST(Workers, GiveTheAnswerOfTheProcess) {
  Asked asked({"/bin/cat"});
  asked.ask("anna");
  asked.ask("ben", {10s, 10s});
  asked.run(2);
  EXPECT_EQ(asked.told("anna").ending, Ending::answered);
  EXPECT_EQ(asked.told("anna").head, "head of anna");
  EXPECT_EQ(asked.told("ben").head, "head of ben");
  EXPECT_LT(asked.told("ben").after, 10s);  // a process keeps its slots itself
}

TEST(Workers, TellAtOnceThatAProcessHasDiedWhereNoSlotsAreKept) {
  Asked asked({"/bin/false"});
  asked.ask("anna");
  asked.run(1);
  EXPECT_EQ(asked.told("anna").ending, Ending::died);
}

TEST(Workers, KeepThePlaceOfAProcessThatHasDiedAndTellItAtItsSlot) {
  Asked asked({"/bin/false"});
  const std::uint64_t first = asked.ask("anna", {700ms, 10s});
  const std::uint64_t next = asked.ask("ben");
  bool was_kept = false;
  asked.loop().after(400ms, [&] {
    was_kept = asked.workers().stage_of(first) == Stage::working && asked.workers().stage_of(next) == Stage::waiting;
  });
  asked.run(2);
  EXPECT_TRUE(was_kept);
  EXPECT_EQ(asked.told("anna").ending, Ending::died);
  EXPECT_GE(asked.told("anna").after, 700ms);
  EXPECT_GE(asked.told("ben").after, 700ms);
}

TEST(Workers, TellAtOnceWhatWasStopped) {
  Asked slow({"/bin/sleep", "60"});
  const std::uint64_t question = slow.ask("anna", {60s, 60s});
  slow.loop().after(50ms, [&] { slow.workers().stop(question); });
  slow.loop().after(20s, [&] { slow.loop().stop(); });
  slow.run(1);
  ASSERT_TRUE(slow.was_told("anna"));
  EXPECT_EQ(slow.told("anna").ending, Ending::died);
}

TEST(Workers, EndWhatWorksTooLongByItsProcessorTimeAndWhatOnlyWaitsByTheClock) {
  Asked busy({"/bin/sh", "-c", "while :; do :; done"}, 1s);
  busy.ask("anna");
  busy.run(1);
  EXPECT_EQ(busy.told("anna").ending, Ending::too_long);
  EXPECT_GE(busy.told("anna").after, 900ms);
  Asked waiting({"/bin/sleep", "60"}, 1s);
  waiting.ask("ben");
  waiting.run(1);
  EXPECT_EQ(waiting.told("ben").ending, Ending::too_long);
  EXPECT_GE(waiting.told("ben").after, 3900ms);
}

TEST(Workers, RefuseMoreThanWaits) {
  Asked asked({"/bin/sleep", "60"});
  int full = 0;
  for (int i = 0; i < 4; ++i) full += asked.ask("anna", {60s, 60s}) == 0 ? 1 : 0;
  EXPECT_EQ(full, 1);  // one has the worker, two wait
  EXPECT_NE(asked.ask("ben", {60s, 60s}), 0U);
}

}  // namespace
}  // namespace vernier::server
