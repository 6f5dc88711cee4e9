#include "cli/output.hpp"

#include <cstdio>

#include <gtest/gtest.h>

#include "cli/json.hpp"

namespace vernier::cli {
namespace {

TEST(Output, TakesWhatAJsonWriterWrites) {
  Output output;
  JsonWriter json(output);
  json.begin_array();
  json.value(Number(0.5));
  json.value(Number(std::int64_t{2}));
  json.end_array();
  EXPECT_EQ(output.text(), "[0.5,2]");
}

TEST(Output, LetsNothingThroughThatMovesACursorOrTurnsADirection) {
  Output output;
  output.write("a\tb\n\x1b[2J\u009b\u202e");
  output.write_exactly("\u202e");
  EXPECT_EQ(output.text(), "a\tb\n\\x1b[2J\\u{9b}\\u{202e}\u202e");
}

TEST(Output, SaysWhenItCouldNotBeWritten) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  Output output(full);
  output.write("lost");
  const Result<void> finished = output.finish();
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().kind, ErrorKind::system);
  std::fclose(full);
}

}  // namespace
}  // namespace vernier::cli
