#include "cli/output.hpp"

#include <cstdio>

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

TEST(Errors, ExitWithTwoOnlyForTheUsersWords) {
  EXPECT_EQ(exit_code({ErrorKind::invalid, ""}), 2);
  for (const ErrorKind kind :
       {ErrorKind::entropy, ErrorKind::exhausted, ErrorKind::system, ErrorKind::engine, ErrorKind::stopped}) {
    EXPECT_EQ(exit_code({kind, ""}), 1);
  }
}

TEST(Errors, StayOnOneLineWhateverTheyQuote) {
  EXPECT_EQ(error_lines({ErrorKind::invalid, "it is 'a\nb\x1b[2J\x7f'"}, option_spelling),
            "vernier: it is 'a\\x0ab\\x1b[2J\\x7f'\n");
}

TEST(Errors, ShowNothingThatTurnsATerminalOrADirection) {
  EXPECT_EQ(error_lines({ErrorKind::invalid, "it is '\u009b31m\u202e\xff'"}, option_spelling),
            "vernier: it is '\\u{9b}31m\\u{202e}\\xff'\n");
}

TEST(Errors, KeepTheStatementWithItsCaretOnLinesOfTheirOwn) {
  Error error{ErrorKind::invalid, "LIKE is not accepted"};
  error.details = {"SELECT\x1b 1", "       ^"};
  EXPECT_EQ(error_lines(error, option_spelling), "vernier: LIKE is not accepted\n  SELECT\\x1b 1\n         ^\n");
}

TEST(Errors, AreToldAllAtOnce) {
  const Error first = at({"s.toml", {1, 2}}, {ErrorKind::invalid, "is missing", parameter("epsilon")});
  const Error second = at({"s.toml", {3, 4}}, {ErrorKind::invalid, "must be above 0", "delta"});
  EXPECT_EQ(error_lines(together({second, first}), option_spelling),
            "vernier: s.toml:1:2: --epsilon is missing\nvernier: s.toml:3:4: delta must be above 0\n");
}

TEST(Errors, AreAnObjectForPrograms) {
  Error error{ErrorKind::invalid, "must be above 0", parameter("epsilon"), "give " + parameter("epsilon", "0.1")};
  error.details = {"a", "^"};
  error = together({at({"s.toml", {1, 2}}, error), {ErrorKind::system, "b"}});
  std::string text;
  vernier::JsonWriter json(text);
  write_error(json, error, option_spelling);
  EXPECT_EQ(
      text,
      R"({"error":{"kind":"system","problem":"b","sentence":"b","others":[{"kind":"invalid","subject":"--epsilon",)"
      R"("problem":"must be above 0","advice":"give --epsilon 0.1","place":{"file":"s.toml","line":1,"column":2},)"
      R"("details":["a","^"],"sentence":"s.toml:1:2: --epsilon must be above 0; give --epsilon 0.1\u000a  a\u000a  ^"}]}})");
}

}  // namespace

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

namespace {

TEST(Table, IsAlignedByCharacters) {
  Output output;
  write_aligned(output, {{"größe"}, {"n", Align::right}, {""}}, {{"a", "50,123", "± 12"}, {"öäü", "7", "± 120"}});
  EXPECT_EQ(output.text(),
            "größe       n\n"
            "a      50,123  ± 12\n"
            "öäü         7  ± 120\n");
}

}  // namespace

namespace {

TEST(Bar, FillsItsPart) {
  EXPECT_EQ(bar(400, 10), "████░░░░░░");
  EXPECT_EQ(bar(449, 10), "████░░░░░░");
  EXPECT_EQ(bar(450, 10), "█████░░░░░");
}

TEST(Bar, ShowsWhatIsNotNothingAndWhatIsNotAll) {
  EXPECT_EQ(bar(0, 4), "░░░░");
  EXPECT_EQ(bar(1, 4), "█░░░");
  EXPECT_EQ(bar(999, 4), "███░");
  EXPECT_EQ(bar(1000, 4), "████");
}

}  // namespace

namespace {

TEST(WrappedText, BreaksBetweenWords) {
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped("a   ", "b c", 4), "a   b c\n");
  EXPECT_EQ(wrapped("a   ", forty + " " + forty + " é", 4), "a   " + forty + "\n    " + forty + " é\n");
  EXPECT_EQ(wrapped("", std::string(79, 'x') + " ", 2), std::string(79, 'x') + "\n");
  EXPECT_EQ(wrapped("    ", std::string(200, 'x'), 4), "    " + std::string(200, 'x') + "\n");
  EXPECT_EQ(wrapped("a", "", 1), "a\n");
}

TEST(ShortenedText, KeepsWholeCharacters) {
  EXPECT_EQ(shortened("größe", 5), "größe");
  EXPECT_EQ(shortened("größen", 5), "größ…");
  EXPECT_EQ(shortened("ßßß", 2), "ß…");
}

}  // namespace
}  // namespace vernier::cli
