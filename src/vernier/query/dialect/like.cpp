#include "vernier/query/dialect/like.hpp"

#include <algorithm>

namespace vernier::query {

bool LikePattern::has_one() const {
  return std::any_of(pieces.begin(), pieces.end(),
                     [](const std::string& piece) { return piece.find('_') != std::string::npos; });
}

std::vector<std::string> LikePattern::inner() const {
  if (pieces.size() < 3) return {};
  return {pieces.begin() + 1, pieces.end() - 1};
}

LikePattern like_pattern(std::string_view pattern) {
  std::vector<std::string> pieces{""};
  for (const char c : pattern) {
    if (c != '%') {
      pieces.back() += c;
    } else if (pieces.size() == 1 || !pieces.back().empty()) {
      pieces.emplace_back();
    }
  }
  return {pieces};
}

std::size_t characters(std::string_view piece) {
  return static_cast<std::size_t>(std::count_if(piece.begin(), piece.end(), [](char c) {
    const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    return !continues;
  }));
}

namespace {

bool stands_for_itself(char c) {
  const bool is_ascii = static_cast<unsigned char>(c) < 0x80;
  return !is_ascii || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string by_number(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', '{', digits[byte >> 4U], digits[byte & 15U], '}'};
}

}  // namespace

std::string as_regexp(std::string_view piece) {
  std::string text;
  for (const char c : piece) {
    if (c == '_') {
      text += '.';
    } else {
      text += stands_for_itself(c) ? std::string(1, c) : by_number(c);
    }
  }
  return text;
}

std::string with_escapes(std::string_view pattern) {
  std::string escaped;
  for (const char c : pattern) escaped.append(c == '!' ? 2 : 1, c);
  return escaped;
}

}  // namespace vernier::query
