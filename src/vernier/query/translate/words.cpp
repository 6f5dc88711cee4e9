#include "vernier/query/translate/words.hpp"

#include <algorithm>

namespace vernier::query {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Bytes of other letters belong to a word too.
bool is_letter(char c) {
  return (upper(c) >= 'A' && upper(c) <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

// A quote inside is doubled.
std::size_t behind_quote(std::string_view sql, std::size_t at) {
  const char quote = sql[at];
  for (std::size_t i = at + 1; i < sql.size(); ++i) {
    if (sql[i] != quote) continue;
    if (i + 1 == sql.size() || sql[i + 1] != quote) return i + 1;
    ++i;
  }
  return sql.size();
}

bool is_comment(std::string_view sql, std::size_t at) { return sql.substr(at, 2) == "--" || sql.substr(at, 2) == "/*"; }

// Those between /* and */ may stand inside of one another.
std::size_t behind_comment(std::string_view sql, std::size_t at) {
  if (sql[at] == '-') return std::min(sql.find_first_of("\r\n", at), sql.size());
  int depth = 1;
  std::size_t i = at + 2;
  while (i < sql.size() && depth > 0) {
    const std::string_view two = sql.substr(i, 2);
    depth += two == "/*" ? 1 : two == "*/" ? -1 : 0;
    i += two == "/*" || two == "*/" ? 2 : 1;
  }
  return i;
}

Word word_at(std::string_view sql, std::size_t at) {
  if (sql[at] == '\'') return {at, behind_quote(sql, at), WordKind::quoted};
  if (sql[at] == '"' || sql[at] == '`') return {at, behind_quote(sql, at), WordKind::name};
  std::size_t end = at;
  while (end < sql.size() && (is_letter(sql[end]) || is_digit(sql[end]))) ++end;
  return end == at ? Word{at, at + 1, WordKind::sign} : Word{at, end, WordKind::word};
}

}  // namespace

std::vector<Word> words_of(std::string_view sql) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < sql.size();) {
    if (is_blank(sql[i])) {
      ++i;
    } else if (is_comment(sql, i)) {
      i = behind_comment(sql, i);
    } else {
      words.push_back(word_at(sql, i));
      i = words.back().end;
    }
  }
  return words;
}

bool is_word(std::string_view sql, const std::vector<Word>& words, std::size_t place, std::string_view word) {
  if (place >= words.size()) return false;
  const std::string_view found = words[place].in(sql);
  return std::equal(found.begin(), found.end(), word.begin(), word.end(), [](char a, char b) { return upper(a) == b; });
}

bool is_digits(std::string_view word) { return !word.empty() && std::all_of(word.begin(), word.end(), is_digit); }

}  // namespace vernier::query
