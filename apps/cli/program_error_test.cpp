#include "cli/program_error.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

// A language with its own sign for everything.
constexpr Tongue tongue = {
    .terms = {"argument", "arguments", "a dictionary"},
    .true_word = "YES",
    .false_word = "NO",
    .assigned = ":=",
    .day = [](std::string_view day) { return "day(" + std::string(day) + ")"; },
    .list = [](const std::string& inner, bool nested) { return (nested ? "<<" : "<") + inner + ">"; },
    .table = [](const std::string& inner) { return "(" + inner + ")"; },
    .member = [](std::string_view name) { return std::string(name) + "->"; },
    .table_named = [](std::string_view name) { return "table " + std::string(name); },
};

std::string spelling(std::string_view name, std::string_view value) { return spelled_in(tongue, name, value); }

TEST(ProgramError, PiecesOfTomlAreSaidInTheLanguage) {
  const auto said = [](std::string_view piece) { return translated(piece, tongue); };
  EXPECT_EQ(said("source = \"people.csv\""), "source:=\"people.csv\"");
  EXPECT_EQ(said("public = true"), "public:=YES");
  EXPECT_EQ(said("false"), "NO");
  EXPECT_EQ(said("2026-01-31"), "day(2026-01-31)");
  EXPECT_EQ(said("start = 2026-01-31"), "start:=day(2026-01-31)");
  EXPECT_EQ(said("{ type = \"real\", lower = 0.5, \"my age\" = 1e-7 }"), "(type->\"real\", lower->0.5, my age->1e-7)");
  EXPECT_EQ(said("source = { table = \"public.people\" }"), "source:=(table->\"public.people\")");
  EXPECT_EQ(said("tables = [[\"sex\", \"region\"], [\"sex\"], []]"), "tables:=<<<\"sex\", \"region\">, <\"sex\">, <>>");
  EXPECT_EQ(said("decimal_mark = \",\", thousands = \".\""), "decimal_mark:=\",\", thousands:=\".\"");
  EXPECT_EQ(said("[tables.people]"), "table people");
  EXPECT_EQ(said("[tables.a.b.columns]"), "columns of table a.b");
  EXPECT_EQ(said("\"a \\\" = { }\""), "\"a \\\" = { }\"");
}

TEST(ProgramError, WhatIsNoTomlStaysAsItIsAndEnds) {
  for (const char* piece :
       {"", "[", "{ ", "{ a = ", "a = [1, ", "\"open", "= 3", "[tables.", "a = ]]", "[1 2]", "\"\\"}) {
    const std::string said = translated(piece, tongue);
    EXPECT_LT(said.size(), 40U) << piece;
  }
}

TEST(ProgramError, FilesAndProgramsAreToldTheSameInTheirWords) {
  const Error error{ErrorKind::invalid, "takes no " + term(Term::key) + " 'a'" + in_line(3), "the table",
                    "write " + toml("public = true")};
  EXPECT_EQ(error.sentence(), "the table takes no key 'a' in line 3; write public = true");
  EXPECT_EQ(error.sentence(option_spelling), "the table takes no key 'a' in line 3; write public = true");
  EXPECT_EQ(error.sentence(spelling), "the table takes no argument 'a'; write public:=YES");
}

TEST(ProgramError, WhatAProgramMadeHasNoPlace) {
  Error error{ErrorKind::invalid, "is wrong", "it", "", Location{"/tmp/<catalog>", {3, 5}}};
  error.others.push_back({ErrorKind::invalid, "is wrong too", "it", "", Location{"/tmp/people.toml", {4, 1}}});
  EXPECT_TRUE(is_of_program(error));
  EXPECT_FALSE(is_of_program(error.others[0]));
  EXPECT_EQ(program_text(without_invented_places(error), spelling),
            "it is wrong\n/tmp/people.toml:4:1: it is wrong too");
}

}  // namespace
}  // namespace vernier::cli
