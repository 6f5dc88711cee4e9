#include "vernier/query/sql_text.hpp"

#include <algorithm>

namespace vernier::query {
namespace {

constexpr std::size_t widest_line = 100;   // characters of the statement that are shown
constexpr std::size_t longest_shown = 60;  // bytes of a name that are shown

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The length that a first byte announces; 0 for one that begins nothing.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return 2;
  if (first >= 0xE0 && first <= 0xEF) return 3;
  return first >= 0xF0 && first <= 0xF4 ? 4 : 0;
}

// The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF (Unicode 15, table 3-7).
bool is_second_byte(unsigned char first, unsigned char second) {
  if (first == 0xE0) return second >= 0xA0;
  if (first == 0xED) return second <= 0x9F;
  if (first == 0xF0) return second >= 0x90;
  return first != 0xF4 || second <= 0x8F;
}

// The length of the character at the front; 0 where there is no valid one.
std::size_t valid_length(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = announced_length(first);
  if (length <= 1) return length;
  if (text.size() < length || !std::all_of(text.begin() + 1, text.begin() + length, is_continuation)) return 0;
  return is_second_byte(first, static_cast<unsigned char>(text[1])) ? length : 0;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = valid_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::string without_controls(std::string_view text) {
  std::string clean(text);
  std::replace_if(clean.begin(), clean.end(), is_control, ' ');
  return clean;
}

std::size_t characters(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_continuation));
}

// The line in which the byte lies.
std::string_view line_at(std::string_view sql, std::size_t byte, std::size_t& start) {
  const std::size_t before = byte == 0 ? std::string_view::npos : sql.rfind('\n', byte - 1);
  start = before == std::string_view::npos ? 0 : before + 1;
  return sql.substr(start, std::min(sql.find('\n', start), sql.size()) - start);
}

}  // namespace

Result<void> check_statement(std::string_view sql) {
  if (sql.size() > greatest_statement) return invalid("the statement has more than 65536 bytes; write a shorter one");
  if (sql.find('\0') != std::string_view::npos) return invalid("the statement has a NUL byte; remove it");
  if (!is_utf8(sql)) return invalid("the statement is not valid UTF-8; save it as UTF-8");
  if (occurrences(sql, "->") + occurrences(lower_case(sql), "lambda") > greatest_arrows) {
    return invalid("the statement has arrows or lambdas, which are not accepted; write plain expressions");
  }
  return {};
}

std::size_t byte_of_character(std::string_view sql, std::size_t character) {
  std::size_t byte = 0;
  while (byte < sql.size() && character > 0) {
    ++byte;
    while (byte < sql.size() && is_continuation(sql[byte])) ++byte;
    --character;
  }
  return byte;
}

std::string with_caret(std::string sentence, std::string_view sql, std::optional<std::size_t> byte) {
  if (!byte || *byte > sql.size()) return sentence;
  std::size_t start = 0;
  const std::string_view line = line_at(sql, *byte, start);
  const std::size_t column = characters(line.substr(0, *byte - start));
  const std::size_t first = column < widest_line * 3 / 4 ? 0 : column - widest_line / 2;
  const std::size_t from = byte_of_character(line, first);
  const std::size_t to = byte_of_character(line, first + widest_line);
  return sentence + "\n  " + without_controls(line.substr(from, to - from)) + "\n  " +
         std::string(column - first, ' ') + "^";
}

std::string shown(std::string_view name) {
  std::size_t end = std::min(name.size(), longest_shown);
  while (end > 0 && end < name.size() && is_continuation(name[end])) --end;
  return without_controls(name.substr(0, end)) + (end < name.size() ? "..." : "");
}

}  // namespace vernier::query
