#include "vernier/engine/csv_header.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "vernier/engine/csv_cells.hpp"

namespace vernier::engine {
namespace {

constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

enum class End : std::uint8_t { line, file, stray_return, too_long, failure };

// Up to the end of the line, or to where it cannot be one: no byte behind that is read.
End read_line(int file, std::string& line) {
  char byte = 0;
  while (line.size() <= longest_header) {
    const ssize_t count = ::read(file, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return End::failure;
    if (count == 0) return End::file;
    if (byte == '\n') return End::line;
    if (line.ends_with('\r')) return End::stray_return;
    line += byte;
  }
  return End::too_long;
}

Result<std::string> first_line(int file, const std::string& path) {
  std::string line;
  switch (read_line(file, line)) {
    case End::failure:
      return unreadable_file(path, std::strerror(errno));
    case End::too_long:
      return unreadable_file(path, "its first line is longer than 1 MiB, so it is no CSV file");
    case End::stray_return:
      return invalid("the first line of the file '" + path +
                     "' has a carriage return (CR) that no line feed (LF) follows; write the file with lines that end "
                     "with LF or CR LF");
    case End::line:
    case End::file:
      break;
  }
  return line;
}

std::string_view trimmed(std::string_view line) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

Failure unreadable_file(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::system, "the file '" + path + "' cannot be read: " + reason);
}

Result<std::vector<std::string>> split_cells(std::string_view line, char delimiter, bool quoted) {
  std::vector<std::string> cells;
  while (has_cell(line)) {
    const CsvCell cell = take_cell(line, {delimiter, quoted});
    if (!cell.is_read)
      return invalid("cell " + std::to_string(cells.size() + 1) +
                     " of the first line has a quote that does not close; mend it");
    cells.emplace_back();
    cell.is_doubled ? append_single(cell.text, cells.back()) : void(cells.back() = cell.text);
  }
  return cells;
}

Result<std::vector<std::string>> header_of(int file, const std::string& path, char delimiter, bool quoted) {
  VERNIER_TRY(const std::string line, first_line(file, path));
  return split_cells(trimmed(line), delimiter, quoted);
}

Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return unreadable_file(path, std::strerror(errno));
  Result<std::vector<std::string>> names = header_of(file, path, delimiter, quoted);
  ::close(file);
  return names;
}

}  // namespace vernier::engine
