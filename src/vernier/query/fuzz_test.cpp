#include <random>

#include <gtest/gtest.h>

#include "support/query_files.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/study.hpp"

// The readers take whatever bytes they are given: an answer or a sentence, and never anything else.
namespace vernier::query {
namespace {

const std::vector<std::string> snippets = {"[",
                                           "]",
                                           "{",
                                           "}",
                                           "[[",
                                           "]]",
                                           "=",
                                           "\"",
                                           "'",
                                           "\"\"\"",
                                           "#",
                                           "\n",
                                           "\r\n",
                                           ".",
                                           ",",
                                           "-",
                                           "_",
                                           "\\",
                                           "\\u0000",
                                           "\xff",
                                           "é",
                                           "🙂",
                                           std::string(1, '\0'),
                                           "inf",
                                           "nan",
                                           "1e400",
                                           "-1e-400",
                                           "0x7fffffffffffffff",
                                           "9223372036854775807",
                                           "-9223372036854775808",
                                           "99999999999999999999",
                                           "0.1",
                                           "1e-6",
                                           "true",
                                           "2026-02-29",
                                           "2026-01-31T10:00:00Z",
                                           "type",
                                           "lower",
                                           "upper",
                                           "keys",
                                           "labels",
                                           "unit = \"row\"",
                                           "budget",
                                           "[tables.people.columns]",
                                           "[[statistic]]",
                                           "\xEF\xBB\xBF"};

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  std::string mutated(std::string text) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = below(std::min<std::size_t>(20, text.size() - at) + 1);
    const std::string& snippet = snippets[below(snippets.size())];
    switch (below(4)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, snippet);
        break;
      case 2:
        text.replace(at, length, snippet);
        break;
      default:
        text.insert(at, text.substr(below(text.size() + 1), 40));
        break;
    }
  }

  std::mt19937_64 random_;
};

// Either a content or problems, each with a place and a sentence that ends.
template <class Content>
std::string fault_of(const Reading<Content>& reading) {
  if (reading.content.has_value() != reading.problems.empty()) return "neither a content nor a problem, or both";
  for (const Problem& problem : reading.problems) {
    if (problem.sentence().empty() || problem.place.line < 1 || problem.place.column < 1)
      return "no sentence, or no place";
    if (problem.sentence().size() > 2000) return "an endless sentence: " + problem.sentence();
  }
  return {};
}

TEST(Fuzz, MutatedCatalogsGetAnAnswer) {
  Mutator mutator(1);
  int accepted = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = mutator.mutated(example_catalog);
    const Reading<Catalog> reading = examine_catalog_text("c", text);
    ASSERT_EQ(fault_of(reading), "") << text;
    accepted += reading.content ? 1 : 0;
  }
  EXPECT_GT(accepted, 100);  // changes within texts and remarks
  EXPECT_LT(accepted, 2000);
}

TEST(Fuzz, MutatedStudiesGetAnAnswer) {
  Mutator mutator(2);
  int accepted = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = mutator.mutated(example_study);
    const Reading<Study> reading = examine_study_text("s", text);
    ASSERT_EQ(fault_of(reading), "") << text;
    accepted += reading.content ? 1 : 0;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 2000);
}

TEST(Fuzz, NumbersKeepEveryDigit) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 500; ++i) {
    std::string digits = std::to_string(random() % 9 + 1) + "." + std::to_string(random()) + std::to_string(random());
    if (i % 2 == 0) digits += "e-" + std::to_string(random() % 8);
    const std::string ledger = std::string(random() % 3, '-') + "ü";
    const std::string text = "budget = { ledger = \"" + ledger + "\", epsilon = " + digits + " }\n";
    const Reading<Catalog> reading = examine_catalog_text("c", text + rest_of_catalog);
    ASSERT_TRUE(reading.content) << text;
    EXPECT_EQ(reading.content->budget.epsilon, numeric::Rational::of_decimal(digits).value()) << text;
  }
}

}  // namespace
}  // namespace vernier::query
