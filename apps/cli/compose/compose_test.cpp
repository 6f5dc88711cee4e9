#include "cli/compose/compose.hpp"

#include <cstdio>

#include <gtest/gtest.h>
#include <unistd.h>

#include "vernier/study/files.hpp"

namespace vernier::cli {
namespace {

using Words = std::vector<std::string>;

Result<ComposeRequest> request(const Words& words) {
  return parse(compose_usage(), words).and_then([](const Arguments& given) { return compose_request(given); });
}

std::string complaint(const Words& words) {
  const Result<ComposeRequest> found = request(words);
  return found ? "" : found.error().sentence(option_spelling);
}

bool complains(const Words& words, std::string_view part) { return complaint(words).find(part) != std::string::npos; }

class EventsFile : public testing::Test {
 protected:
  void TearDown() override { std::remove(path_.c_str()); }
  std::string with(std::string_view content) {
    std::remove(path_.c_str());  // nothing is written over
    EXPECT_TRUE(study::write_file(path_, content));
    return path_;
  }

 private:
  std::string path_ = testing::TempDir() + "vernier_events_" + std::to_string(::getpid()) + ".txt";
};

TEST(ComposeRequest, TakesAsManyEventsAsAreGiven) {
  const auto found =
      request({"--event", "laplace,scale=1", "--delta", "1e-6", "--event", "pure,epsilon=2", "zcdp,rho=1"});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->events.size(), 3U);
  EXPECT_EQ(found->events[1].kind, EventKind::pure);
  EXPECT_EQ(found->delta->nearest, 1e-6);
  EXPECT_FALSE(found->epsilon);
  EXPECT_FALSE(found->solves());
}

TEST_F(EventsFile, MayHaveCommentsAndEmptyLines) {
  const std::string path = with("# two kinds\nlaplace,scale=1 # one\r\n\n  gaussian,scale=2,times=3\npure,epsilon=1");
  const auto found = request({"--events", path, "--event", "zcdp,rho=1", "--epsilon", "1"});
  ASSERT_TRUE(found) << found.error().sentence();
  ASSERT_EQ(found->events.size(), 4U);
  EXPECT_EQ(found->events[0].kind, EventKind::zcdp);
  EXPECT_EQ(found->events[2].times.value(), 3);
}

TEST_F(EventsFile, ThatIsWrongIsNamedWithItsLine) {
  const std::string path = with("# kinds\nlaplace,scale=1\n\nlaplace,scale=0\n");
  EXPECT_TRUE(complains({"--events", path, "--epsilon", "1"}, "in line 4 of '" + path + "': the scale must be"));
  EXPECT_TRUE(complains({"--events", with("# nothing\n"), "--epsilon", "1"}, "there is no event"));
  EXPECT_TRUE(complains({"--events", path + ".missing", "--epsilon", "1"}, "cannot be read"));
}

TEST(ComposeRequest, AsksForOneThing) {
  const Words event = {"--event", "laplace,scale=1"};
  const auto with = [&](Words more) {
    more.insert(more.begin(), event.begin(), event.end());
    return more;
  };
  EXPECT_TRUE(complains(with({}), "nothing is asked; give --delta"));
  EXPECT_TRUE(complains(with({"--delta", "1e-6", "--epsilon", "1"}), "leave nothing to find"));
  EXPECT_TRUE(complains(with({"--delta", "1"}), "delta must be 0 or a number between"));
  EXPECT_TRUE(complains(with({"--delta", "x"}), "--delta must be a decimal number"));
  EXPECT_TRUE(complains(with({"--epsilon", "0"}), "epsilon must be a number between"));
  EXPECT_TRUE(complains(with({"--epsilon", "1", "--neighbours", "add"}), "--neighbours must be add-remove or replace"));
  EXPECT_TRUE(complains(with({"--epsilon", "1", "--plot", "x.png"}), ".svg"));
  EXPECT_TRUE(complains({"--delta", "1e-6"}, "there is no event"));
  EXPECT_TRUE(complains({"--delta", "1e-6", "--event", ""}, "in the event '': an event begins with its kind"));
  EXPECT_TRUE(complains({"laplace,scale=1", "--delta", "1e-6"}, "is not understood"));
}

TEST(ComposeRequest, SolvesForTheScaleThatIsLeftOpen) {
  const auto found = request({"--event", "laplace,times=20", "--epsilon", "1", "--delta", "1e-4", "--solve", "scale"});
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->solves());
  EXPECT_TRUE(found->events.front().is_open());
}

TEST(ComposeRequest, SolvesNothingElse) {
  const Words both = {"--epsilon", "1", "--delta", "1e-4", "--solve", "scale"};
  const auto with = [&](Words more) {
    more.insert(more.end(), both.begin(), both.end());
    return more;
  };
  EXPECT_TRUE(complains(with({"--event", "laplace,scale=3"}), "--solve scale has nothing to find"));
  EXPECT_TRUE(complains({"--event", "laplace", "--epsilon", "1", "--solve", "scale"}, "--delta is missing"));
  EXPECT_TRUE(complains({"--event", "laplace", "--delta", "0.1", "--solve", "scale"}, "--epsilon is missing"));
  EXPECT_TRUE(complains({"--event", "laplace", "--epsilon", "1", "--solve", "times"}, "--solve finds a scale only"));
  EXPECT_TRUE(complains({"--event", "laplace", "--epsilon", "1"}, "an event has no scale; write it"));
}

}  // namespace
}  // namespace vernier::cli
