#include <gtest/gtest.h>

#include "vernier/core/result.hpp"

namespace vernier {
namespace {

const Error about_epsilon{ErrorKind::invalid, "must be above 0, but it is -1", "epsilon", "give a larger one"};

TEST(Error, SaysItsPartsAsOneSentence) {
  EXPECT_EQ(about_epsilon.sentence(), "epsilon must be above 0, but it is -1; give a larger one");
  EXPECT_EQ((Error{ErrorKind::invalid, "there is no event"}.sentence()), "there is no event");
  const Error located = at({"study.toml", {3, 5}}, about_epsilon);
  EXPECT_EQ(located.sentence(), "study.toml:3:5: epsilon must be above 0, but it is -1; give a larger one");
  EXPECT_EQ(located.statement(), about_epsilon.sentence());
}

TEST(Error, ShowsItsDetailsBelow) {
  Error error{ErrorKind::invalid, "WITH is not accepted"};
  error.details = {"WITH a AS", "^"};
  EXPECT_EQ(error.sentence(), "WITH is not accepted\n  WITH a AS\n  ^");
}

TEST(Error, IsSpelledByWhoeverTellsIt) {
  const Error error{
      ErrorKind::invalid, "is missing", parameter("public_count"),
      "give it, for example as " + parameter("public_count", "500") + ", or " + parameter("covers", "population")};
  EXPECT_EQ(error.sentence(),
            "public_count is missing; give it, for example as public_count = 500, or covers = population");
  EXPECT_EQ(error.sentence(option_spelling),
            "--public-count is missing; give it, for example as --public-count 500, or --covers population");
  EXPECT_EQ(error.sentence(keyword_spelling),
            "public_count is missing; give it, for example as public_count=500, or covers=\"population\"");
  EXPECT_EQ(spelled(error, option_spelling).sentence(), error.sentence(option_spelling));
}

TEST(Error, LeavesAMarkThatIsAloneAsItIs) {
  EXPECT_EQ(spelled("a\x1f b", option_spelling), "a\x1f b");
  EXPECT_EQ(spelled("", option_spelling), "");
}

TEST(Error, GetsASubjectOrWordsBeforeTheOneItHas) {
  const Error fragment{ErrorKind::exhausted, "has no bounds", {}, "write CLAMP(x, 0, 100)"};
  const Error column = about("the column 'income'", fragment);
  EXPECT_EQ(column.subject, "the column 'income'");
  EXPECT_EQ(column.kind, ErrorKind::exhausted);
  EXPECT_EQ(column.sentence(), "the column 'income' has no bounds; write CLAMP(x, 0, 100)");
  EXPECT_EQ(about("the study", column).sentence(), "the study: " + column.sentence());
  EXPECT_EQ(after("the view \"v\" cannot be used: ", column).sentence(),
            "the view \"v\" cannot be used: " + column.sentence());
  EXPECT_EQ(after("cannot be asked: ", fragment).sentence(), "cannot be asked: " + fragment.sentence());
}

TEST(Error, KeepsTheFirstPlace) {
  const Error first = at({"a.toml", {1, 2}}, about_epsilon);
  EXPECT_EQ(at({"b.toml", {3, 4}}, first).place->file, "a.toml");
}

TEST(Error, TellsAllProblemsInTheirOrder) {
  const auto problem = [](std::uint32_t line) {
    return at({"s.toml", {line, 1}}, {ErrorKind::invalid, "line " + std::to_string(line)});
  };
  const Error all = together({together({problem(4), problem(2)}), problem(3)});
  ASSERT_EQ(all.others.size(), 2U);
  EXPECT_EQ(all.problem, "line 2");
  EXPECT_EQ(all.others[0].problem, "line 3");
  EXPECT_EQ(all.others[1].problem, "line 4");
  EXPECT_EQ(all.sentence(), "s.toml:2:1: line 2 (and 2 more problems in this file)");
}

TEST(Error, IsMadeOfUpToThreeParts) {
  EXPECT_EQ(Failure(invalid("a", "b")).value().sentence(), "a; b");
  EXPECT_EQ(Failure(invalid("a", "b", "c")).value().sentence(), "a b; c");
  EXPECT_EQ(Failure(fail(ErrorKind::system, "a", "b", "c")).value().kind, ErrorKind::system);
  EXPECT_EQ(Failure(invalid(Error{ErrorKind::system, "a"})).value().kind, ErrorKind::invalid);
}

TEST(Error, NamesItsKinds) {
  EXPECT_EQ(name_of(ErrorKind::invalid), "invalid");
  EXPECT_EQ(name_of(ErrorKind::engine), "engine");
  EXPECT_EQ(name_of(ErrorKind::stopped), "stopped");
}

}  // namespace
}  // namespace vernier
