#include "cli/progress_bar.hpp"

#include <array>

#include <gtest/gtest.h>

namespace vernier::cli {
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
