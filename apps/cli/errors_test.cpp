#include "cli/errors.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Errors, ExitWithTwoOnlyForTheUsersWords) {
  EXPECT_EQ(exit_code({ErrorKind::invalid, ""}), 2);
  for (const ErrorKind kind : {ErrorKind::entropy, ErrorKind::exhausted, ErrorKind::system}) {
    EXPECT_EQ(exit_code({kind, ""}), 1);
  }
}

TEST(Errors, StayOnOneLineWhateverTheyQuote) {
  EXPECT_EQ(error_line({ErrorKind::invalid, "it is 'a\nb\x1b[2J\x7f'"}), "vernier: it is 'a\\x0ab\\x1b[2J\\x7f'\n");
}

TEST(Errors, ShowNothingThatTurnsATerminalOrADirection) {
  EXPECT_EQ(error_line({ErrorKind::invalid, "it is '\u009b31m\u202e\xff'"}),
            "vernier: it is '\\u{9b}31m\\u{202e}\\xff'\n");
}

TEST(Errors, KeepTheStatementWithItsCaretOnLinesOfTheirOwn) {
  EXPECT_EQ(error_line({ErrorKind::invalid, "LIKE is not accepted\n  SELECT\x1b 1\n         ^"}),
            "vernier: LIKE is not accepted\n  SELECT\\x1b 1\n         ^\n");
}

}  // namespace
}  // namespace vernier::cli
