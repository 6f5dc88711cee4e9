#include "cli/errors.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace vernier::cli {
namespace {

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

int exit_code(const Error& error) { return error.kind == ErrorKind::invalid ? exit_usage : exit_failure; }

std::string error_line(const Error& error) {
  std::string line = "vernier: ";
  for (const char character : error.sentence) {
    const auto code = static_cast<unsigned char>(character);
    if (code < 0x20 || code == 0x7f) {
      line += fmt::format("\\x{:02x}", code);
    } else {
      line += character;
    }
  }
  return line + "\n";
}

std::string suggestion(std::string_view unknown, const std::vector<std::string>& known) {
  std::size_t nearest = std::min<std::size_t>(3, unknown.size());  // as far as this a word is no likeness
  std::string found;
  for (const std::string& word : known) {
    const std::size_t distance = edit_distance(unknown, word);
    if (distance < nearest) {
      nearest = distance;
      found = fmt::format(" (did you mean {}?)", word);
    }
  }
  return found;
}

}  // namespace vernier::cli
