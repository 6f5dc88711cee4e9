#include "cli/table.hpp"

#include <algorithm>

namespace vernier::cli {
namespace {

bool begins_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; }

std::string line_of(const std::vector<Heading>& headings, const Row& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - width_of(cells[i]), ' ');
    line += (i == 0 ? "" : "  ");
    line += headings[i].align == Align::left ? cells[i] + blanks : blanks + cells[i];
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

}  // namespace

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

void write_aligned(Output& output, const std::vector<Heading>& headings, const std::vector<Row>& rows) {
  Row titles;
  std::vector<std::size_t> widths;
  for (const Heading& heading : headings) {
    titles.push_back(heading.text);
    widths.push_back(width_of(heading.text));
  }
  for (const Row& cells : rows) {
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], width_of(cells[i]));
  }
  output.write(line_of(headings, titles, widths));
  for (const Row& cells : rows) output.write(line_of(headings, cells, widths));
}

}  // namespace vernier::cli
