#include "vernier/engine/csv/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "vernier/engine/csv/unpacked.hpp"
#include "vernier/query/source_files.hpp"

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
      if (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF")) break;
      return invalid(
          "the first line of the file '" + path + "' has a carriage return (CR) that no line feed (LF) follows",
          "write the file with lines that end "
          "with LF or CR LF");
    case End::line:
    case End::file:
      break;
  }
  if (line.starts_with("\xFF\xFE") || line.starts_with("\xFE\xFF"))
    return invalid("the file '" + path + "' is written in UTF-16", "save it in UTF-8, as Excel's \"CSV UTF-8\" is");
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
      return invalid("cell " + std::to_string(cells.size() + 1) + " of the first line has a quote that does not close",
                     "mend it");
    cells.emplace_back();
    cell.is_doubled ? append_single(cell.text, cells.back()) : void(cells.back() = cell.text);
  }
  return cells;
}

Result<std::vector<std::string>> header_of(int file, const std::string& path, char delimiter, bool quoted) {
  VERNIER_TRY(const std::string line, first_line(file, path));
  if (trimmed(line).empty())
    return invalid("the first line of the file '" + path + "' is empty, where the names of the columns stand",
                   "put them there, parted as the cells are");
  return split_cells(trimmed(line), delimiter, quoted);
}

namespace {

// A file to read from its beginning; of a compressed one what is in it, up to so many bytes.
Result<int> opened(const std::string& path, std::int64_t most) {
  if (query::is_compressed(path)) return open_unpacked(path, most);
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return unreadable_file(path, std::strerror(errno));
  return file;
}

constexpr std::int64_t all_of_it = std::numeric_limits<std::int64_t>::max();

}  // namespace

Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted) {
  VERNIER_TRY(const int file, opened(path, std::int64_t{longest_header} + 1));
  Result<std::vector<std::string>> names = header_of(file, path, delimiter, quoted);
  ::close(file);
  return names;
}

Result<std::string> first_line_of(const std::string& path) {
  VERNIER_TRY(const int file, opened(path, std::int64_t{longest_header} + 1));
  const Result<std::string> line = first_line(file, path);
  ::close(file);
  return line.map([](const std::string& text) { return std::string(trimmed(text)); });
}

Result<std::shared_ptr<const CsvFile>> CsvFile::open(const std::filesystem::path& path, const CsvFormat& format) {
  const auto unreadable = [&] { return unreadable_file(path.string(), std::strerror(errno)); };
  VERNIER_TRY(const int rows, opened(path.string(), all_of_it));
  const std::shared_ptr<CsvFile> file(new CsvFile(rows, format));
  struct stat status = {};
  if (::fstat(rows, &status) != 0) return unreadable();
  if (!format.is_json) {
    VERNIER_TRY(file->names_, header_of(rows, path.string(), format.delimiter, format.quoted));
  }
  file->identity_ = query::is_compressed(path.string())
                        ? engine::identity_of(path).value_or(engine::identity_of(status))
                        : engine::identity_of(status);
  file->first_row_ = ::lseek(rows, 0, SEEK_CUR);
  if (file->first_row_ < 0) return unreadable();
  file->end_ = std::max<std::int64_t>(file->first_row_, status.st_size);
  return file;
}

CsvFile::~CsvFile() { ::close(file_); }

bool CsvFile::read(std::int64_t from, char* to, std::size_t count) const {
  while (count > 0) {
    const ssize_t got = ::pread(file_, to, count, from);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    from += got;
    to += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace vernier::engine
