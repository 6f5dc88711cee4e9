#include "plot/words.hpp"

#include "vernier/core/seen_text.hpp"

namespace vernier::plot {
namespace {

constexpr std::string_view ellipsis = "…";

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

bool is_one_of(std::string_view all, char letter) { return all.find(letter) != std::string_view::npos; }

// Of the size, in the widest of the usual fonts. By its first byte, a letter of UTF-8 of three bytes from U+1000 on,
// but for punctuation as the ellipsis, or of four is taken for a wide one.
double part_of(std::string_view rest) {
  const auto first = static_cast<unsigned char>(rest.front());
  if (rest.starts_with("\xE2\x80")) return 1;
  if (first >= 0xE1U) return 1.25;
  if (first >= 0x80U || is_one_of("ABCDEFGHKLNOPQRSTUVXYZ<>=+_", rest.front())) return 0.84;
  if (is_one_of("mwMW@%&", rest.front())) return 1;
  return is_one_of("iljtfrI.,:;'|!()[]- /", rest.front()) ? 0.42 : 0.65;
}

double width_of(std::string_view words, double size) {
  double width = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (continues(words[i])) continue;
    width += part_of(words.substr(i)) * size;
  }
  return width;
}

}  // namespace

double words_width(std::string_view words, double size) { return width_of(seen_lines(words), size); }

std::string fitted(std::string_view words, double width, double size) {
  const std::string shown = seen_lines(words);
  if (width_of(shown, size) <= width) return shown;
  const double room = width - words_width(ellipsis, size);
  double used = 0;
  std::size_t end = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (continues(shown[i])) continue;
    used += part_of(std::string_view(shown).substr(i)) * size;
    if (used > room) break;
    end = i + 1;
    while (end < shown.size() && continues(shown[end])) ++end;
  }
  return shown.substr(0, end).append(ellipsis);
}

}  // namespace vernier::plot
