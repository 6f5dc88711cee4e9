#include "vernier/engine/csv_cells.hpp"

namespace vernier::engine {
namespace {

// Leaves what is behind the delimiter at `end`; at the end of the row nothing, which is not even an empty cell.
void leave(std::string_view& row, std::size_t end) {
  row = end < row.size() ? row.substr(end + 1) : std::string_view();
}

CsvCell take_plain(std::string_view& row, char delimiter) {
  const std::size_t found = row.find(delimiter);
  const std::size_t end = found == std::string_view::npos ? row.size() : found;
  const CsvCell cell{row.substr(0, end)};
  leave(row, end);
  return cell;
}

CsvCell unreadable(std::string_view& row) {
  row = {};
  return {.text = {}, .is_read = false};
}

CsvCell take_quoted(std::string_view& row, char delimiter) {
  bool is_doubled = false;
  for (std::size_t quote = row.find('"', 1); quote != std::string_view::npos; quote = row.find('"', quote + 1)) {
    const bool is_last = quote + 1 == row.size();
    if (!is_last && row[quote + 1] == '"') {
      is_doubled = true;
      ++quote;
      continue;
    }
    if (!is_last && row[quote + 1] != delimiter) return unreadable(row);
    const CsvCell cell{row.substr(1, quote - 1), is_doubled};
    leave(row, quote + 1);
    return cell;
  }
  return unreadable(row);
}

}  // namespace

CsvCell take_cell(std::string_view& row, const CsvFormat& format) {
  return format.quoted && row.starts_with('"') ? take_quoted(row, format.delimiter) : take_plain(row, format.delimiter);
}

void append_single(std::string_view doubled, std::string& text) {
  for (std::size_t i = 0; i < doubled.size(); ++i) {
    text += doubled[i];
    if (doubled[i] == '"') ++i;
  }
}

}  // namespace vernier::engine
