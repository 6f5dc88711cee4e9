#include "vernier/engine/cells.hpp"

#include <charconv>
#include <cmath>

namespace vernier::engine {
namespace {

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Behind a plus there is a number without a sign.
std::string_view without_plus(std::string_view text) {
  const bool plus = text.size() > 1 && text.front() == '+' && (is_digit(text[1]) || text[1] == '.');
  return plus ? text.substr(1) : text;
}

template <class Number>
std::optional<Number> read_all(std::string_view text) {
  Number value{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_word(std::string_view text, std::string_view word) {
  if (text.size() != word.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (small(text[i]) != word[i]) return false;
  }
  return true;
}

}  // namespace

std::optional<bool> boolean_cell(std::string_view text) {
  const std::string_view word = trimmed(text);
  if (is_word(word, "true") || word == "1") return true;
  if (is_word(word, "false") || word == "0") return false;
  return std::nullopt;
}

std::optional<std::int64_t> integer_cell(std::string_view text) {
  return read_all<std::int64_t>(without_plus(trimmed(text)));
}

std::optional<double> real_cell(std::string_view text) {
  const std::optional<double> value = read_all<double>(without_plus(trimmed(text)));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<query::Day> date_cell(std::string_view text) { return query::read_day(trimmed(text)); }

}  // namespace vernier::engine
