#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/file_state.hpp"

// How a row of a CSV file becomes cells. The header is cut by the same rules.
namespace vernier::engine {

struct CsvFormat {
  char delimiter = ',';
  bool quoted = true;        // a cell may stand in double quotes, a quote within them being doubled
  bool line_breaks = false;  // and so may the end of a line; only where `quoted`
  bool is_json = false;      // no header, and every line is cut by json/line.hpp instead
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

// The cells of the first line of a CSV file. The line is read byte by byte: nothing behind it leaves the file. It ends
// with LF or CR LF; where a CR stands elsewhere, the lines of the file are not those that it is read by. No sentence
// has anything of the line in it, which may be data.
Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted = true);

// The same of an open file, which stands behind the line then.
Result<std::vector<std::string>> header_of(int file, const std::string& path, char delimiter, bool quoted);

// The cells of one line, which, where `quoted`, may stand in double quotes, a quote within them being doubled.
Result<std::vector<std::string>> split_cells(std::string_view line, char delimiter, bool quoted = true);

// The first line of a text file, compressed or not, without its end; at most 1 MiB of it.
Result<std::string> first_line_of(const std::string& path);

Failure unreadable_file(const std::string& path, const std::string& reason);

// A file of lines, opened once: header and rows come from the same file, whatever its path leads to later. It is as
// long as it was when it was opened.
class CsvFile {
 public:
  // Reads the header, byte by byte, and nothing behind it; of JSON nothing.
  static Result<std::shared_ptr<const CsvFile>> open(const std::filesystem::path& path, const CsvFormat& format);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile();

  const std::vector<std::string>& names() const { return names_; }  // none of JSON
  const CsvFormat& format() const { return format_; }
  const FileIdentity& identity() const { return identity_; }
  std::int64_t first_row() const { return first_row_; }  // where the line behind the header begins
  std::int64_t end() const { return end_; }

  // That many bytes from there on; false where they cannot be read any more.
  bool read(std::int64_t from, char* to, std::size_t count) const;

 private:
  CsvFile(int file, const CsvFormat& format) : file_(file), format_(format) {}

  int file_;
  CsvFormat format_;
  FileIdentity identity_ = {};
  std::vector<std::string> names_;
  std::int64_t first_row_ = 0;
  std::int64_t end_ = 0;
};

}  // namespace vernier::engine
