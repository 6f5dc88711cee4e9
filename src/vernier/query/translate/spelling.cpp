#include "vernier/query/translate/spelling.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "vernier/query/translate/words.hpp"

namespace vernier::query {
namespace {

void blank(std::string& text, std::size_t begin, std::size_t end) {
  std::fill(text.begin() + static_cast<std::ptrdiff_t>(begin), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
}

// The place behind the bracket that closes the one at this place.
std::size_t behind_brackets(std::string_view sql, const std::vector<Word>& words, std::size_t place) {
  int depth = 0;
  for (std::size_t i = place; i < words.size(); ++i) {
    depth += words[i].in(sql) == "(" ? 1 : words[i].in(sql) == ")" ? -1 : 0;
    if (depth == 0) return i + 1;
  }
  return words.size();
}

// The place of the outer SELECT, which WITH may stand before.
std::optional<std::size_t> outer_select(std::string_view sql, const std::vector<Word>& words) {
  if (is_word(sql, words, 0, "SELECT")) return 0;
  if (!is_word(sql, words, 0, "WITH")) return std::nullopt;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i].in(sql) == "(") i = behind_brackets(sql, words, i);
    if (is_word(sql, words, i, "SELECT")) return i;
  }
  return std::nullopt;
}

// WITH DIFFERENTIAL_PRIVACY OPTIONS (...) behind the SELECT at this place: the first place behind it, if it is there.
std::optional<std::size_t> behind_options(std::string_view sql, const std::vector<Word>& words, std::size_t select) {
  if (!is_word(sql, words, select + 1, "WITH")) return std::nullopt;
  const bool is_private =
      is_word(sql, words, select + 2, "DIFFERENTIAL_PRIVACY") || is_word(sql, words, select + 2, "ANONYMIZATION");
  if (!is_private) return std::nullopt;
  const bool has_options = is_word(sql, words, select + 3, "OPTIONS") && is_word(sql, words, select + 4, "(");
  return has_options ? behind_brackets(sql, words, select + 4) : select + 3;
}

// Of inner queries, too.
void leave_out_options(std::string& text, const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_word(text, words, i, "SELECT")) continue;
    const std::optional<std::size_t> end = behind_options(text, words, i);
    if (end) blank(text, words[i + 1].begin, words[*end - 1].end);
  }
}

// ANON_SUM(x CLAMPED BETWEEN 0 AND 10) becomes ANON_SUM(x, 0, 10) of the same length.
void write_clamped(std::string& text, const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_word(text, words, i, "CLAMPED") || !is_word(text, words, i + 1, "BETWEEN")) continue;
    int depth = 0;
    std::size_t middle = i + 2;
    for (; middle < words.size() && (depth > 0 || !is_word(text, words, middle, "AND")); ++middle) {
      depth += words[middle].in(text) == "(" ? 1 : words[middle].in(text) == ")" ? -1 : 0;
      if (depth < 0) break;
    }
    if (!is_word(text, words, middle, "AND")) continue;
    blank(text, words[i].begin, words[i + 1].end);
    blank(text, words[middle].begin, words[middle].end);
    text[words[i].begin] = text[words[middle].begin] = ',';
  }
}

// SAFE_CAST(x AS FLOAT64) is TRY_CAST(x AS DOUBLE).
void write_casts(std::string& text, const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_word(text, words, i, "SAFE_CAST")) text.replace(words[i].begin, 9, " TRY_CAST");
    const bool is_type = i > 0 && is_word(text, words, i, "FLOAT64") && is_word(text, words, i - 1, "AS");
    if (is_type) text.replace(words[i].begin, 7, "DOUBLE ");
  }
}

// SELECT TOP 10 or SELECT TOP (10), and DISTINCT before it. The count stands behind all but semicolons and comments.
void move_top(std::string& text, const std::vector<Word>& words) {
  const std::optional<std::size_t> select = outer_select(text, words);
  if (!select) return;
  const std::size_t top = is_word(text, words, *select + 1, "DISTINCT") ? *select + 2 : *select + 1;
  const bool has_brackets = is_word(text, words, top + 1, "(");
  const std::size_t number = top + (has_brackets ? 2 : 1), last = number + (has_brackets ? 1 : 0);
  if (!is_word(text, words, top, "TOP") || last >= words.size() || !is_digits(words[number].in(text))) return;
  if (is_word(text, words, last + 1, "PERCENT") || is_word(text, words, last + 1, "WITH")) return;
  std::size_t end = words.size();
  while (end > 0 && words[end - 1].in(text) == ";") --end;
  const std::string limit = "\nLIMIT " + std::string(words[number].in(text)) + "\n";
  const std::size_t behind = words[end - 1].end;
  blank(text, words[top].begin, words[last].end);
  text.insert(behind, limit);
}

// APPROX_QUANTILES(x, 4)[OFFSET(1)] becomes APPROX_QUANTILES(x, 4, 1) of the same length; places that are counted from
// 1 are written with a minus.
void move_offset(std::string& text, const std::vector<Word>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_word(text, words, i, "APPROX_QUANTILES") || !is_word(text, words, i + 1, "(")) continue;
    const std::size_t open = behind_brackets(text, words, i + 1);
    const bool is_ordinal = is_word(text, words, open + 1, "ORDINAL") || is_word(text, words, open + 1, "SAFE_ORDINAL");
    const bool is_offset = is_word(text, words, open + 1, "OFFSET") || is_word(text, words, open + 1, "SAFE_OFFSET");
    const std::size_t number = open + (is_ordinal || is_offset ? 3 : 1);
    const std::size_t close = number + (is_ordinal || is_offset ? 2 : 1);
    if (!is_word(text, words, open, "[") || !is_word(text, words, close, "]")) continue;
    if (!is_digits(words[number].in(text))) continue;
    blank(text, words[open - 1].begin, words[open - 1].end);
    blank(text, words[open].begin, words[number].begin);
    blank(text, words[number].end, words[close].end);
    text[words[open].begin] = ',';
    if (is_ordinal) text[words[number].begin - 1] = '-';
    text[words[number].end] = ')';
  }
}

}  // namespace

std::string respelled(std::string_view sql) {
  std::string text(sql);
  const std::vector<Word> words = words_of(text);
  for (const Word& word : words) {
    const bool is_quoted = text[word.begin] == '`' && word.end - word.begin > 2 && text[word.end - 1] == '`' &&
                           word.in(text).find('"') == std::string::npos;
    if (is_quoted) text[word.begin] = text[word.end - 1] = '"';
  }
  leave_out_options(text, words);
  write_clamped(text, words);
  write_casts(text, words);
  move_offset(text, words);
  move_top(text, words_of(text));
  return text;
}

std::vector<std::string> without_effect(std::string_view sql) {
  const std::vector<Word> words = words_of(sql);
  std::vector<std::string> sentences;
  bool has_options = false, has_clamped = false, has_schema = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    has_options = has_options || (is_word(sql, words, i, "SELECT") && behind_options(sql, words, i));
    has_clamped = has_clamped || (is_word(sql, words, i, "CLAMPED") && is_word(sql, words, i + 1, "BETWEEN"));
    const bool is_table = is_word(sql, words, i, "FROM") || is_word(sql, words, i, "JOIN");
    has_schema = has_schema || (is_table && is_word(sql, words, i + 2, "."));
  }
  if (has_options) {
    sentences.emplace_back(
        "What OPTIONS says has no effect: budget and contribution are those of the command, the study and the "
        "catalog.");
  }
  bool has_interval_end = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    has_interval_end =
        has_interval_end || is_word(sql, words, i, "DP_INTERVAL_LOW") || is_word(sql, words, i, "DP_INTERVAL_HIGH");
  }
  if (has_interval_end) {
    sentences.emplace_back(
        "DP_INTERVAL_LOW and DP_INTERVAL_HIGH make no columns: every number comes with its interval.");
  }
  if (has_clamped) {
    sentences.emplace_back(
        "CLAMPED BETWEEN clamps every row here, and not the total of a unit in a group: where max_rows is 1, that is "
        "the "
        "same.");
  }
  if (has_schema) {
    sentences.emplace_back(
        "What stands before the name of a table has no effect: a catalog has tables without schemas.");
  }
  const auto is_bounds = [&](std::size_t i) { return is_word(sql, words, i, "CONTRIBUTION_BOUNDS_PER_GROUP"); };
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!is_bounds(i)) continue;
    sentences.emplace_back(
        "contribution_bounds_per_group clamps every row here, and not the total of a unit in a group: where max_rows "
        "is 1, that is the same.");
    break;
  }
  return sentences;
}

}  // namespace vernier::query
