#include "vernier/query/sql_text.hpp"

#include <algorithm>

#include "vernier/core/utf8.hpp"

namespace vernier::query {
namespace {

constexpr std::size_t widest_line = 100;   // characters of the statement that are shown
constexpr std::size_t longest_shown = 60;  // bytes of a name that are shown

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

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
