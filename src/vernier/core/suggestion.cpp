#include "vernier/core/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

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

}  // namespace vernier
