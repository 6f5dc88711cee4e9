#include <chrono>
#include <random>

#include <gtest/gtest.h>

#include "support/duckdb_session.hpp"
#include "support/tables.hpp"
#include "vernier/query/expression/render.hpp"
#include "vernier/query/expression/text_sql.hpp"
#include "vernier/query/quote.hpp"

// LIKE says what its definition says, in a time that no text can stretch.
namespace vernier::query {
namespace {

using Characters = std::vector<std::string>;

// By code points of UTF-8.
Characters characters_of(std::string_view text) {
  Characters all;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (continues) {
      all.back() += c;
    } else {
      all.emplace_back(1, c);
    }
  }
  return all;
}

// The definition: whether the text from i on is like the pattern from j on, each pair looked at once.
class Reference {
 public:
  Reference(std::string_view text, std::string_view pattern)
      : text_(characters_of(text)), pattern_(characters_of(pattern)) {}

  bool holds() const {
    std::vector<bool> next(text_.size() + 1, false);
    next.back() = true;
    for (std::size_t j = pattern_.size(); j-- > 0;) {
      std::vector<bool> here(text_.size() + 1, false);
      for (std::size_t i = text_.size() + 1; i-- > 0;) here[i] = holds(i, j, next, here);
      next = here;
    }
    return next.front();
  }

 private:
  bool holds(std::size_t i, std::size_t j, const std::vector<bool>& next, const std::vector<bool>& here) const {
    const bool is_end = i == text_.size();
    if (pattern_[j] == "%") return next[i] || (!is_end && here[i + 1]);
    return !is_end && (pattern_[j] == "_" || pattern_[j] == text_[i]) && next[i + 1];
  }

  Characters text_, pattern_;
};

std::string drawn(std::mt19937_64& bits, const Characters& among, std::size_t most) {
  std::string text;
  for (std::size_t left = bits() % (most + 1); left > 0; --left) text += among[bits() % among.size()];
  return text;
}

Expression like(const std::string& pattern) {
  return *apply(Operation::like, {column(testing::column_of("t", Type::string)), literal(pattern)});
}

class Like : public ::testing::Test {
 protected:
  void fill(const std::vector<std::string>& texts) {
    ASSERT_TRUE(session_.run("CREATE TABLE texts (place BIGINT, t VARCHAR)"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
      ASSERT_TRUE(session_.run("INSERT INTO texts VALUES (" + std::to_string(i) + ", " + quoted_text(texts[i]) + ")"));
    }
  }

  std::string found(const std::string& pattern) {
    const auto row =
        session_.run("SELECT string_agg(place, ' ' ORDER BY place) FROM texts WHERE " + rendered(like(pattern)));
    return row ? row->front() : session_.error();
  }

  testing::DuckDbSession session_;
};

TEST_F(Like, SaysOfRandomTextsAndPatternsWhatItsDefinitionSays) {
  std::mt19937_64 bits(11);
  const Characters letters{"a", "b", "a", "\n", "!", ".", "\\", "\u00fc", "\u5217", "\U0001f600"};
  const Characters signs{"%", "%", "_", "_", "a", "b", "a", "\n", "!", ".", "\\", "\u00fc", "\U0001f600", "[", "(?i)"};
  std::vector<std::string> texts{"", "a", "aba"};
  while (texts.size() < 150) texts.push_back(drawn(bits, letters, 8));
  fill(texts);
  for (int i = 0; i < 800 && !HasFailure(); ++i) {
    const std::string pattern = drawn(bits, signs, 6);
    std::string expected;
    for (std::size_t place = 0; place < texts.size(); ++place) {
      if (Reference(texts[place], pattern).holds()) expected += (expected.empty() ? "" : " ") + std::to_string(place);
    }
    EXPECT_EQ(found(pattern), expected.empty() ? "NULL" : expected) << pattern << "\n" << rendered(like(pattern));
  }
}

TEST_F(Like, IsOfNullNull) {
  const auto row = session_.run("SELECT count(*) FILTER (WHERE e IS NULL) FROM (SELECT " + rendered(like("%a_%")) +
                                " AS e FROM (SELECT CAST(NULL AS VARCHAR) AS t))");
  ASSERT_TRUE(row) << session_.error();
  EXPECT_EQ(row->front(), "1");
}

// Each of them takes longer than there is time where every place is tried for every %: 60 over 15 already is 5e13.
TEST_F(Like, EndsSoonWhateverTheText) {
  fill({std::string(60, 'a'), std::string(longest_text, 'a'), std::string(longest_text - 1, 'a') + "c"});
  const auto start = std::chrono::steady_clock::now();
  std::string many;
  for (int i = 0; i < 300; ++i) many += "%a_";
  for (const std::string& pattern : {std::string("%a%a%a%a%a%a%a%a%a%a%a%a%a%a%a%b"), std::string("%a_a%a_a%a__a%b"),
                                     many + "%b", "%" + std::string(400, 'a') + "b%_", "%a%_%a%" + many + "b"}) {
    EXPECT_EQ(found(pattern), "NULL") << pattern;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

}  // namespace
}  // namespace vernier::query
