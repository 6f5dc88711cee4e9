#include "vernier/core/seen_text.hpp"

#include <array>
#include <charconv>

#include "vernier/core/characters.hpp"
#include "vernier/core/hash.hpp"

namespace vernier {
namespace {

std::string digits_of(char32_t c) {
  std::array<char, 8> digits;
  const auto [end, error] = std::to_chars(digits.begin(), digits.end(), static_cast<unsigned>(c), 16);
  return {digits.begin(), end};
}

std::string spelled(char32_t c, std::string_view bytes) {
  if (bytes.size() == 1) return "\\x" + hex(bytes);
  return "\\u{" + digits_of(c) + "}";
}

bool is_blank(char32_t c) { return c == '\t' || c == '\n' || c == '\r'; }

std::string shown(std::string_view text, bool has_lines) {
  std::string seen;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_character(text);
    const std::string_view bytes = before.substr(0, before.size() - text.size());
    const bool is_seen = c != no_character && (!is_unseen(c) || (has_lines && is_blank(c)));
    is_seen ? seen += bytes : seen += spelled(c, bytes);
  }
  return seen;
}

}  // namespace

std::string seen_text(std::string_view text) { return shown(text, false); }

std::string seen_lines(std::string_view text) { return shown(text, true); }

}  // namespace vernier
