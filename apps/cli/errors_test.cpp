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

TEST(Errors, SuggestOnlyWordsThatAreNear) {
  const std::vector<std::string> known = {"--density", "--scale", "law"};
  EXPECT_EQ(suggestion("--densty", known), " (did you mean --density?)");
  EXPECT_EQ(suggestion("lwa", known), " (did you mean law?)");
  EXPECT_EQ(suggestion("laws", known), " (did you mean law?)");
  EXPECT_EQ(suggestion("--denxxxy", known), "");
}

}  // namespace
}  // namespace vernier::cli
