#include "vernier/core/names.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace vernier {
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

constexpr char32_t no_character = 0xFFFFFFFF;

bool is_unseen(char32_t c) {
  return std::any_of(unseen.begin(), unseen.end(), [c](Interval i) { return i.first <= c && c <= i.last; });
}

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

// Takes one character of UTF-8 off the text; of bytes that are none it takes one and gives `no_character`.
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

void append(std::string& text, char32_t c) {
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
      append(folded, small(c));
    }
  }
  return folded;
}

}  // namespace vernier
