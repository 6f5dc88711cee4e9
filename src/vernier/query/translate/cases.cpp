#include "vernier/query/translate/cases.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/query/translate/words.hpp"

namespace vernier::query {
namespace {

struct Case {
  bool has_operand;
  bool is_in_operand;
  double operand = 0;
  double rest = 0;
  double whens = 0;

  double words() const { return rest + operand * std::max(1.0, whens); }
  void add(double words) { (is_in_operand ? operand : rest) += words; }
};

constexpr std::array<std::string_view, 3> keywords{"CASE", "WHEN", "END"};

bool is_keyword(std::string_view sql, const std::vector<Word>& words, std::size_t place) {
  return std::any_of(keywords.begin(), keywords.end(),
                     [&](std::string_view word) { return is_word(sql, words, place, word); });
}

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool begins_with(std::string_view sql, std::size_t at, std::string_view word) {
  return at + word.size() <= sql.size() &&
         std::equal(word.begin(), word.end(), sql.begin() + static_cast<std::ptrdiff_t>(at),
                    [](char a, char b) { return a == upper(b); });
}

// Whether the keyword might be a name: behind a dot or AS, or before what comes behind names alone.
bool may_be_name(std::string_view sql, const std::vector<Word>& words, std::size_t place) {
  const bool is_behind = place > 0 && (words[place - 1].in(sql) == "." || is_word(sql, words, place - 1, "AS"));
  const std::string_view rest = place + 1 < words.size() ? sql.substr(words[place + 1].begin) : "";
  const bool is_cast = rest.starts_with("::");
  const bool is_called = rest.starts_with('(') && is_word(sql, words, place, "END");
  return is_behind || is_called || rest.starts_with("=>") || rest.starts_with('.') ||
         (rest.starts_with(':') && !is_cast);
}

// A keyword beside a letter that is not of ASCII, or behind digits, may be one for the parser: it takes some of those
// letters for blanks, and lets words begin where numbers end.
bool has_hidden_keyword(std::string_view word) {
  const bool is_ascii =
      std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  const bool is_name = is_ascii && (word.front() < '0' || word.front() > '9');
  for (std::size_t i = 0; !is_name && i < word.size(); ++i) {
    for (const std::string_view keyword : keywords) {
      if (begins_with(word, i, keyword)) return true;
    }
  }
  return false;
}

// Whether a comment may begin inside of another one.
bool has_nested_comment(std::string_view sql) {
  for (std::size_t at = sql.find("/*"); at != std::string_view::npos;) {
    const std::size_t end = sql.find("*/", at + 2);
    if (sql.find("/*", at + 2) < end) return true;
    at = end == std::string_view::npos ? end : sql.find("/*", end + 2);
  }
  return false;
}

// Whether the words are surely those that the parser sees: texts between dollars and behind backslashes are not.
bool is_plain(std::string_view sql, const std::vector<Word>& words) {
  if (sql.find_first_of("$\\") != std::string_view::npos || has_nested_comment(sql)) return false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].kind != WordKind::word) continue;
    if (is_keyword(sql, words, i) && may_be_name(sql, words, i)) return false;
    if (has_hidden_keyword(words[i].in(sql))) return false;
  }
  return true;
}

// By counting alone: every CASE that is not CASE WHEN might stand inside of another one.
double greatest_words(std::string_view sql) {
  double cases = 0, whens = 0;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    if (begins_with(sql, i, "WHEN")) ++whens;
    if (!begins_with(sql, i, "CASE")) continue;
    const std::size_t next = sql.find_first_not_of(" \t\r\n", i + 4);
    cases += next != std::string_view::npos && begins_with(sql, next, "WHEN") ? 0 : 1;
  }
  const auto size = static_cast<double>(sql.size());
  return cases == 0 ? size : size * std::pow(whens / cases + 1, cases);
}

}  // namespace

double words_with_cases(std::string_view sql) {
  const std::vector<Word> words = words_of(sql);
  if (!is_plain(sql, words)) return greatest_words(sql);
  std::vector<Case> open = {{false, false}};
  const auto close = [&] {
    const double made = open.back().words() + 1;
    open.pop_back();
    open.back().add(made);
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_word(sql, words, i, "CASE")) {
      const bool has_operand = !is_word(sql, words, i + 1, "WHEN");
      open.push_back({has_operand, has_operand});
    } else if (is_word(sql, words, i, "END") && open.size() > 1) {
      close();
    } else {
      if (is_word(sql, words, i, "WHEN")) open.back().is_in_operand = false, open.back().whens += 1;
      open.back().add(1);
    }
  }
  while (open.size() > 1) close();
  return open.back().words();
}

}  // namespace vernier::query
