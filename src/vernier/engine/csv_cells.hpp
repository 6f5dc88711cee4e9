#pragma once

#include <string>
#include <string_view>

// How a row of a CSV file becomes cells. The header is cut by the same rules.
namespace vernier::engine {

struct CsvFormat {
  char delimiter = ',';
  bool quoted = true;        // a cell may stand in double quotes, a quote within them being doubled
  bool line_breaks = false;  // and so may the end of a line; only where `quoted`
};

// The text of one cell, in the row that it was taken from.
struct CsvCell {
  std::string_view text;    // without the quotes around it
  bool is_doubled = false;  // quotes within it are still doubled
  bool is_read = true;      // otherwise its quotes do not close at its end
};

// Takes the next cell off the row, with the delimiter behind it. From quotes that do not close at a delimiter or at the
// end of the row nothing can be told any more: the cell takes all that is left. A quote elsewhere is text.
CsvCell take_cell(std::string_view& row, const CsvFormat& format);

// Whether there is a further cell, the last of a row that ends with a delimiter being empty.
inline bool has_cell(std::string_view row) { return row.data() != nullptr; }

// Text of a cell whose quotes are doubled.
void append_single(std::string_view doubled, std::string& text);

}  // namespace vernier::engine
