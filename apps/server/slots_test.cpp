#include "server/slots.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace vernier::server {
namespace {

using namespace std::chrono_literals;

// A clock that goes on by what is waited, and by what a test says.
struct Script {
  milliseconds now{100'000};
  std::vector<milliseconds> pauses = {};
  bool is_closing = false;

  Hold hold(Slots slots) {
    return {slots, [this] { return now; },
            [this](milliseconds wait) {
              pauses.push_back(wait);
              if (is_closing) return false;
              now += wait;
              is_closing = pauses.size() > 5;  // who waits for ever is ended at some time
              return true;
            }};
  }
};

constexpr Slots two_seconds{2000ms, 60'000ms};

TEST(Slots, AreTheFirstAndTwiceFourTimesEightTimesAsMuch) {
  EXPECT_EQ(two_seconds.after(0ms), 2000ms);
  EXPECT_EQ(two_seconds.after(2000ms), 2000ms);
  EXPECT_EQ(two_seconds.after(2001ms), 4000ms);
  EXPECT_EQ(two_seconds.after(8001ms), 16'000ms);
  EXPECT_EQ(two_seconds.last(), 64'000ms);
}

TEST(Hold, EndsAtTheSlotHoweverLongTheRunTook) {
  for (const milliseconds taken : {0ms, 1ms, 700ms, 1999ms, 2000ms}) {
    Script script;
    Hold hold = script.hold(two_seconds);
    script.now += taken;
    EXPECT_TRUE(hold.wait());
    EXPECT_EQ(script.now, 102'000ms) << taken.count();
  }
  Script script;
  Hold hold = script.hold(two_seconds);
  script.now += 2001ms;
  EXPECT_TRUE(hold.wait());
  EXPECT_EQ(script.now, 104'000ms);
}

TEST(Hold, WaitsOnce) {
  Script script;
  Hold hold = script.hold(two_seconds);
  EXPECT_TRUE(hold.wait());
  EXPECT_TRUE(hold.wait());
  EXPECT_EQ(script.pauses, std::vector{2000ms});
}

TEST(Hold, WithoutSlotsWaitsForNothing) {
  Script script;
  EXPECT_TRUE(script.hold({}).wait());
  EXPECT_TRUE(script.pauses.empty());
}

TEST(Hold, OfARunThatTookTooLongLastsUntilItIsEnded) {
  Script script;
  Hold hold = script.hold(two_seconds);
  script.now += 64'001ms;
  const Result<void> waited = hold.wait();
  ASSERT_FALSE(waited);
  EXPECT_EQ(waited.error().kind, ErrorKind::stopped);
  EXPECT_GT(script.now, 100'000ms + 4h);
}

TEST(Hold, EndsAtOnceWhereTheServerCloses) {
  Script script;
  Hold hold = script.hold(two_seconds);
  script.is_closing = true;
  EXPECT_TRUE(hold.wait());
  EXPECT_EQ(script.now, 100'000ms);
}

}  // namespace
}  // namespace vernier::server
