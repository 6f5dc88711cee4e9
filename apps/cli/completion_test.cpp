#include "cli/completion.hpp"

#include <gtest/gtest.h>

namespace vernier::cli {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Completion, KnowsWhatTheUsagesSay) {
  const Usage usage = {.name = "try",
                       .summary = "",
                       .synopsis = "",
                       .subject = "THING",
                       .subject_help = "",
                       .subject_choices = {"this", "that"},
                       .options = {{"--how", Takes::one_value, "NAME", "", {"well", "badly"}},
                                   {"--plot", Takes::one_value, "FILE.svg", ""},
                                   {"--from", Takes::one_value, "FILE", ""},
                                   {"--twice", Takes::nothing, "", ""}},
                       .example = ""};
  const std::string script = bash_completion({usage});
  EXPECT_TRUE(contains(script, R"(_vernier_words "--help --version try")"));
  EXPECT_TRUE(contains(script, R"(--how) _vernier_words "well badly"; return ;;)"));
  EXPECT_TRUE(contains(script, "--plot) _vernier_drawing; return ;;"));
  EXPECT_TRUE(contains(script, "--from) _vernier_file; return ;;"));
  EXPECT_TRUE(contains(script, R"(*) _vernier_words "this that" ;;)"));
  EXPECT_TRUE(contains(script, R"(-*) _vernier_words "--how --plot --from --twice --json --help" ;;)"));
  EXPECT_FALSE(contains(script, "--twice)"));
}

}  // namespace
}  // namespace vernier::cli
