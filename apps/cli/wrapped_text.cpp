#include "cli/wrapped_text.hpp"

#include "cli/table.hpp"

namespace vernier::cli {

std::string wrapped(const std::string& first, std::string_view text, std::size_t indent) {
  std::string lines, line = first;
  bool is_begun = false;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (is_begun && width_of(line) + 1 + width_of(word) > line_width) {
      lines += line + "\n";
      line = std::string(indent, ' ');
      is_begun = false;
    }
    line.append(is_begun ? " " : "").append(word);
    is_begun = true;
  }
  return lines + line + "\n";
}

std::string shortened(const std::string& text, std::size_t most) {
  if (width_of(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t characters = 0; end < text.size(); ++end) {
    const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0) != 0x80;
    if (begins && ++characters == most) break;
  }
  return text.substr(0, end) + "…";
}

}  // namespace vernier::cli
