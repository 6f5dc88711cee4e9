#include "vernier/query/translate/hints.hpp"

#include <algorithm>
#include <array>

#include "vernier/query/translate/syntax.hpp"
#include "vernier/query/translate/translate.hpp"
#include "vernier/query/translate/words.hpp"

namespace vernier::query {
namespace {

// Typographic quotes, as word processors make them.
constexpr std::array<std::string_view, 6> curly{"\u201C", "\u201D", "\u201E", "\u2018", "\u2019", "\u201A"};

bool has_curly_quotes(std::string_view sql) {
  return std::any_of(curly.begin(), curly.end(),
                     [&](std::string_view quote) { return sql.find(quote) != std::string_view::npos; });
}

std::string top_hint(std::string_view sql, const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t number = i + (is_word(sql, words, i + 1, "(") ? 2 : 1);
    if (!is_word(sql, words, i, "TOP") || number >= words.size() || !is_digits(words[number].in(sql))) continue;
    const std::string count(words[number].in(sql));
    return "TOP stands right behind the first SELECT, with a number of rows alone; write LIMIT " + count +
           " at the end";
  }
  return "";
}

// [people], of which the content is a name.
std::string bracket_hint(std::string_view sql, const std::vector<Word>& words) {
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i].in(sql) != "[") continue;
    const std::size_t end = sql.find(']', words[i].begin);
    if (end == std::string_view::npos) continue;
    const std::string name(sql.substr(words[i].begin + 1, end - words[i].begin - 1));
    return "names stand in double quotes and not in [ ]; write \"" + shown(name) + "\"";
  }
  return "";
}

}  // namespace

std::string hint_of(std::string_view sql) {
  if (has_curly_quotes(sql)) return "quotes are straight: write 'text' and \"name\"";
  const std::vector<Word> words = words_of(sql);
  if (std::string hint = top_hint(sql, words); !hint.empty()) return hint;
  return bracket_hint(sql, words);
}

bool has_word(std::string_view sql, std::string_view name) {
  const std::vector<Word> words = words_of(sql);
  return std::any_of(words.begin(), words.end(), [&](const Word& word) { return same_name(word.in(sql), name); });
}

Error told_of(Refusal refusal, std::string_view sql) {
  Error error = std::move(refusal.error);
  if (refusal.unnamed && !has_word(sql, refusal.name)) error = *std::move(refusal.unnamed);
  const std::string_view rest = refusal.byte && *refusal.byte < sql.size() ? sql.substr(*refusal.byte) : "";
  const bool is_quoted = rest.starts_with('"') || has_curly_quotes(rest.substr(0, 3));
  if (is_quoted && !refusal.text_in_quotes.empty()) {
    std::string text = refusal.text_in_quotes;
    for (const std::string_view quote : curly) {
      for (std::size_t at = text.find(quote); at != std::string::npos; at = text.find(quote))
        text.erase(at, quote.size());
    }
    error.advice = "for a text write " + text + ", in single quotes; " + error.advice;
  }
  return with_caret(std::move(error), sql, refusal.byte);
}

}  // namespace vernier::query
