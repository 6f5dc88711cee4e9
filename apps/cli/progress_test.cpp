#include "cli/progress.hpp"

#include <array>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Interrupt, IsNoticedAndDoesNotEndTheProgram) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const Interrupt interrupt;
    EXPECT_FALSE(interrupt.came());
    std::raise(signal);
    EXPECT_TRUE(interrupt.came());
  }
}

// What came before the inner one began still counts inside of it, and after it.
TEST(Interrupt, MayLiveInsideOfAnother) {
  const Interrupt outer;
  std::raise(SIGINT);
  {
    const Interrupt inner;
    EXPECT_TRUE(inner.came());
  }
  std::raise(SIGTERM);
  EXPECT_TRUE(outer.came());
}

TEST(Interrupt, LeavesAloneWhatWasIgnored) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const Interrupt interrupt;
    std::raise(SIGHUP);
    EXPECT_FALSE(interrupt.came());
  }
  std::signal(SIGHUP, before);
}

}  // namespace

namespace {

TEST(ProgressBar, TellsHowFarItIs) {
  EXPECT_EQ(progress_line("running", 0), "running  [                              ]   0 %");
  EXPECT_EQ(progress_line("running", 50), "running  [###############               ]  50 %");
  EXPECT_EQ(progress_line("running", 100), "running  [##############################] 100 %");
}

TEST(ProgressBar, WritesNothingWhereThereIsNoTerminal) {
  std::FILE* const file = std::tmpfile();
  { ProgressBar(file, "running").show(0.5); }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace vernier::cli
