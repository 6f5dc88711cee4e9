#include "vernier/study/toml_places.hpp"

#include <algorithm>
#include <string>

namespace vernier::study {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string triple(3, quote);
  if (text.substr(at, 3) == triple) {
    for (std::size_t i = at + 3; i < text.size(); ++i) {
      if (quote == '"' && text[i] == '\\') {
        ++i;
      } else if (text.substr(i, 3) == triple) {
        i += 3;
        while (i < text.size() && text[i] == quote) ++i;  // a text may end in quotes of its own
        return i;
      }
    }
    return text.size();
  }
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return text.size();
}

}  // namespace

std::size_t offset_of(std::string_view text, query::Place place) {
  std::size_t at = 0;
  for (std::uint32_t line = 1; line < place.line && at < text.size(); ++line) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
  }
  for (std::uint32_t column = 1; column < place.column && at < text.size(); ++column) {
    do ++at;
    while (at < text.size() && !begins_character(text[at]));
  }
  return at;
}

std::size_t line_begin(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  const std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  int depth = 0;
  const std::size_t first = at;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"' || c == '\'') {
      at = end_of_string(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (depth == 0 && (c == ',' || c == '\n' || c == '#' || c == ']' || c == '}')) break;
    if (c == '#') at = line_end(text, at) - 1;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && --depth == 0) return at + 1;
    ++at;
  }
  while (at > first && (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\r')) --at;
  return at;
}

}  // namespace vernier::study
