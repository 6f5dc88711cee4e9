#include "vernier/core/names.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <utility>

#include "vernier/core/utf8.hpp"

namespace vernier {
namespace {

constexpr std::size_t longest_word = 200;  // longer ones are not compared: it would take time for nothing

// The least number of letters to insert, drop or replace on the way from a to b (Levenshtein), row by row.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace

std::string suggestion(std::string_view unknown, const std::vector<std::string>& known) {
  if (unknown.size() > longest_word) return {};
  std::size_t nearest = std::min<std::size_t>(3, unknown.size());  // as far as this a word is no likeness
  std::string found;
  for (const std::string& word : known) {
    if (word.size() > longest_word) continue;
    const std::size_t distance = edit_distance(unknown, word);
    if (distance < nearest) {
      nearest = distance;
      found = " (did you mean " + word + "?)";
    }
  }
  return found;
}

namespace {

// Eight bytes at a time. A sum or difference that runs into the next byte comes from one that is not plain itself.
bool is_plain(std::string_view text) {
  std::uint64_t found = 0;
  for (; text.size() >= 8; text.remove_prefix(8)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data(), sizeof eight);
    found |= eight | (eight - 0x2020202020202020) | (eight + 0x0101010101010101);
  }
  return (found & 0x8080808080808080) == 0 && std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

// Capitals in pairs, each before its small letter; the first of a pair is even, or odd.
bool is_even_capital(char32_t c) {
  return c % 2 == 0 && ((c >= 0x100 && c <= 0x12E) || (c >= 0x132 && c <= 0x136) || (c >= 0x14A && c <= 0x176) ||
                        (c >= 0x460 && c <= 0x480) || (c >= 0x48A && c <= 0x4BE) || (c >= 0x4D0 && c <= 0x52E) ||
                        (c >= 0x1E00 && c <= 0x1E94) || (c >= 0x1EA0 && c <= 0x1EFE));
}
bool is_odd_capital(char32_t c) {
  return c % 2 == 1 && ((c >= 0x139 && c <= 0x147) || (c >= 0x179 && c <= 0x17D) || (c >= 0x4C1 && c <= 0x4CD));
}

char32_t small(char32_t c) {
  const bool ascii = c >= 'A' && c <= 'Z';
  const bool latin = c >= 0xC0 && c <= 0xDE && c != 0xD7;
  const bool greek = c >= 0x391 && c <= 0x3AB && c != 0x3A2;
  const bool cyrillic = c >= 0x410 && c <= 0x42F;
  if (ascii || latin || greek || cyrillic) return c + 32;
  if (c >= 0x400 && c <= 0x40F) return c + 80;
  return is_even_capital(c) || is_odd_capital(c) ? c + 1 : c;
}

}  // namespace

std::optional<std::string> fault_of_text(std::string_view text) {
  if (text.empty()) return "it is empty";
  if (is_plain(text)) return std::nullopt;
  while (!text.empty()) {
    const char32_t c = take_character(text);
    if (c == no_character) return "it is not UTF-8";
    if (is_unseen(c)) return "it has a control character or one that cannot be seen";
  }
  return std::nullopt;
}

std::optional<std::string> fault_of_name(std::string_view name) {
  if (auto fault = fault_of_text(name)) return fault;
  if (name.size() > longest_name) return "it is longer than " + std::to_string(longest_name) + " bytes";
  if (name.front() == ' ' || name.back() == ' ') return "it begins or ends with a blank";
  return std::nullopt;
}

std::string fold_case(std::string_view name) {
  std::string folded;
  while (!name.empty()) {
    const char first = name.front();
    const char32_t c = take_character(name);
    if (c == no_character) {
      folded += first;
    } else {
      append_character(folded, small(c));
    }
  }
  return folded;
}

}  // namespace vernier
