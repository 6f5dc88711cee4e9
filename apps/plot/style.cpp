#include "plot/style.hpp"

#include <array>
#include <cstddef>

#include "vernier/core/utf8.hpp"

namespace vernier::plot {
namespace {

constexpr std::array<std::string_view, 6> fills = {"fill1", "fill2", "fill3", "fill4", "fill5", "fill6"};
constexpr std::array<std::string_view, 6> strokes = {"stroke1", "stroke2", "stroke3", "stroke4", "stroke5", "stroke6"};
constexpr std::array<std::string_view, 6> softs = {"soft1", "soft2", "soft3", "soft4", "soft5", "soft6"};

}  // namespace

// Orange, blue, green, violet, ochre and rose that differ in lightness too, for readers who do not tell the hues apart.
std::string_view chart_style() {
  return R"(text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2733 }
.title { font-size: 21px; font-weight: 600 }
.note { font-size: 14px; fill: #5b6573 }
.axis-title { font-size: 14px }
.tick { font-size: 13px; fill: #465060 }
.label { font-size: 13px }
.value { font-size: 13px; fill: #465060; font-variant-numeric: tabular-nums }
.panel-title { font-size: 14px; font-weight: 600 }
.surface { fill: #ffffff }
.grid { stroke: #e4e8ed; stroke-width: 1 }
.axis { stroke: #7c8796; stroke-width: 1 }
.bar { fill: #a9cdec }
.whisker { stroke: #14304d; stroke-width: 1.5 }
.thin { stroke: #8fb9df; stroke-width: 1; fill: none }
.unknown { stroke: #7c8796; stroke-width: 1.5; stroke-dasharray: 2 5 }
.denoised { fill: none; stroke: #c2410c; stroke-width: 2 }
.stroke1, .stroke2, .stroke3, .stroke4, .stroke5, .stroke6 { fill: none; stroke-width: 2.25; stroke-linejoin: round }
.soft1, .soft2, .soft3, .soft4, .soft5, .soft6 { stroke: #ffffff; stroke-width: 1 }
.stroke1 { stroke: #c2410c } .fill1 { fill: #c2410c } .soft1 { fill: #f6c3a5 }
.stroke2 { stroke: #1d6fb8 } .fill2 { fill: #1d6fb8 } .soft2 { fill: #a9cdec }
.stroke3 { stroke: #2f7d32 } .fill3 { fill: #2f7d32 } .soft3 { fill: #b5d9b6 }
.stroke4 { stroke: #6b3fa0 } .fill4 { fill: #6b3fa0 } .soft4 { fill: #cdbbe4 }
.stroke5 { stroke: #8a6d00 } .fill5 { fill: #8a6d00 } .soft5 { fill: #e6d79a }
.stroke6 { stroke: #b8256e } .fill6 { fill: #b8256e } .soft6 { fill: #efb5d0 }
.dashed { stroke-dasharray: 9 5 }
.dotted { stroke-dasharray: 1 5; stroke-linecap: round; stroke-width: 1.75 }
@media (prefers-color-scheme: dark) {
text { fill: #e8ebef }
.note { fill: #a3adba }
.tick, .value { fill: #bcc5d0 }
.surface { fill: #151a21 }
.grid { stroke: #29313c }
.bar { fill: #2c5a85 }
.whisker { stroke: #d6e8fa }
.thin { stroke: #3f6d99 }
.denoised { stroke: #ff9a62 }
.soft1, .soft2, .soft3, .soft4, .soft5, .soft6 { stroke: #151a21 }
.stroke1 { stroke: #ff9a62 } .fill1 { fill: #ff9a62 } .soft1 { fill: #7a4024 }
.stroke2 { stroke: #6db3f2 } .fill2 { fill: #6db3f2 } .soft2 { fill: #2c5a85 }
.stroke3 { stroke: #7ccf80 } .fill3 { fill: #7ccf80 } .soft3 { fill: #2d5f30 }
.stroke4 { stroke: #c19df0 } .fill4 { fill: #c19df0 } .soft4 { fill: #553a7a }
.stroke5 { stroke: #e0c64f } .fill5 { fill: #e0c64f } .soft5 { fill: #5f5217 }
.stroke6 { stroke: #f58fbf } .fill6 { fill: #f58fbf } .soft6 { fill: #7a2a51 }
}
)";
}

std::string_view fill_class(Colour colour) { return fills[static_cast<std::size_t>(colour)]; }
std::string_view stroke_class(Colour colour) { return strokes[static_cast<std::size_t>(colour)]; }
std::string stroke_class(Colour colour, Stroke stroke) {
  const std::string name(stroke_class(colour));
  if (stroke == Stroke::solid) return name;
  return name + (stroke == Stroke::dashed ? " dashed" : " dotted");
}
std::string_view soft_class(Colour colour) { return softs[static_cast<std::size_t>(colour)]; }

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
