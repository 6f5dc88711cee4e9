#include "vernier/core/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "vernier/core/hash.hpp"

namespace vernier {
namespace {

// The length that the first byte of a character announces; 0 for a byte that begins none.
std::size_t announced_length(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80; }

// The second byte rules out overlong forms, surrogates and what lies beyond U+10FFFF.
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

template <class Word>
bool has_high_bit(const char* bytes) {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return (word & static_cast<Word>(0x8080808080808080)) != 0;
}

// By words, of which the last two may overlap: most cells are short.
template <class Word>
bool is_ascii_by(std::string_view text) {
  for (std::size_t at = 0; at + sizeof(Word) < text.size(); at += sizeof(Word)) {
    if (has_high_bit<Word>(text.data() + at)) return false;
  }
  return !has_high_bit<Word>(text.data() + text.size() - sizeof(Word));
}

bool is_ascii(std::string_view text) {
  if (text.size() >= 8) return is_ascii_by<std::uint64_t>(text);
  if (text.size() >= 4) return is_ascii_by<std::uint32_t>(text);
  return std::none_of(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; });
}

// Eight bytes of ASCII at a time.
std::string_view without_ascii(std::string_view text) {
  while (text.size() >= 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, text.data(), sizeof eight);
    if ((eight & 0x8080808080808080) != 0) return text;
    text.remove_prefix(8);
  }
  return text;
}

}  // namespace

bool is_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  for (text = without_ascii(text); !text.empty();) {
    const std::size_t length = valid_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
    if (length == 1) text = without_ascii(text);
  }
  return true;
}

namespace {

// From the first to the last, ends included.
struct Interval {
  char32_t first;
  char32_t last;
};

// Controls, and characters that cannot be seen or that turn the direction of the text around them: Unicode's general
// categories Cc, Cf, Zl, Zp, Co and Cn where whole blocks have it, and the replacement character.
constexpr std::array<Interval, 18> unseen = {{{0x0000, 0x001F},
                                              {0x007F, 0x009F},
                                              {0x00AD, 0x00AD},
                                              {0x0600, 0x0605},
                                              {0x061C, 0x061C},
                                              {0x06DD, 0x06DD},
                                              {0x070F, 0x070F},
                                              {0x115F, 0x1160},
                                              {0x180B, 0x180F},
                                              {0x200B, 0x200F},
                                              {0x2028, 0x202E},
                                              {0x2060, 0x206F},
                                              {0x3164, 0x3164},
                                              {0xE000, 0xF8FF},
                                              {0xFE00, 0xFE0F},
                                              {0xFEFF, 0xFEFF},
                                              {0xFFF0, 0xFFFF},
                                              {0xE0000, 0x10FFFF}}};

// How many bytes a character has that begins with this one; 0 for a byte that begins none.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC2 || first > 0xF4) return 0;
  return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool is_character(char32_t c, std::size_t length) {
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  return c >= least[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
}

}  // namespace

bool is_unseen(char32_t c) {
  return std::any_of(unseen.begin(), unseen.end(), [c](Interval i) { return i.first <= c && c <= i.last; });
}

char32_t take_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::size_t length = length_of(byte(0));
  char32_t c = length == 1 ? byte(0) : byte(0) & (0x7FU >> length);
  bool whole = length > 0 && length <= text.size();
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = (byte(i) & 0xC0U) == 0x80;
    c = (c << 6) | (byte(i) & 0x3FU);
  }
  whole = whole && is_character(c, length);
  text.remove_prefix(whole ? length : 1);
  return whole ? c : no_character;
}

void append_character(std::string& text, char32_t c) {
  const auto put = [&](char32_t byte) { text += static_cast<char>(byte); };
  if (c < 0x80) return put(c);
  if (c < 0x800) {
    put(0xC0 | (c >> 6));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12));
    put(0x80 | ((c >> 6) & 0x3F));
  } else {
    put(0xF0 | (c >> 18));
    put(0x80 | ((c >> 12) & 0x3F));
    put(0x80 | ((c >> 6) & 0x3F));
  }
  put(0x80 | (c & 0x3F));
}

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
