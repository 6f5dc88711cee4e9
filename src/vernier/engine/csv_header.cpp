#include "vernier/engine/csv_header.hpp"

#include <cerrno>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

namespace vernier::engine {
namespace {

constexpr std::size_t longest_line = std::size_t{1} << 20;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

Failure unreadable(const std::string& path, const std::string& reason) {
  return fail(ErrorKind::system, "the file '" + path + "' cannot be read: " + reason);
}

// 0, or the errno of what failed.
int read_line(int file, std::string& line) {
  char byte = 0;
  while (line.size() <= longest_line) {
    const ssize_t count = ::read(file, &byte, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0 || byte == '\n') return 0;
    line += byte;
  }
  return 0;
}

Result<std::string> first_line(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return unreadable(path, std::strerror(errno));
  std::string line;
  const int failure = read_line(file, line);
  ::close(file);
  if (failure != 0) return unreadable(path, std::strerror(failure));
  if (line.size() > longest_line) return unreadable(path, "its first line is longer than 1 MiB, so it is no CSV file");
  return line;
}

std::string_view trimmed(std::string_view line) {
  if (line.starts_with(byte_order_mark)) line.remove_prefix(byte_order_mark.size());
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// Takes a cell in quotes off the line; none when its quotes do not close before a delimiter or the end.
std::optional<std::string> take_quoted(std::string_view& line, char delimiter) {
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const bool doubled = line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (line[i] == '"' && !doubled) {
      line.remove_prefix(i + 1);
      if (!line.empty() && line.front() != delimiter) return std::nullopt;
      return cell;
    }
    if (doubled) ++i;
    cell += line[i];
  }
  return std::nullopt;
}

std::string take_plain(std::string_view& line, char delimiter) {
  const std::size_t end = std::min(line.find(delimiter), line.size());
  std::string cell(line.substr(0, end));
  line.remove_prefix(end);
  return cell;
}

}  // namespace

Result<std::vector<std::string>> split_cells(std::string_view line, char delimiter, bool quoted) {
  std::vector<std::string> cells;
  while (true) {
    std::optional<std::string> cell =
        quoted && line.starts_with('"') ? take_quoted(line, delimiter) : std::optional(take_plain(line, delimiter));
    if (!cell)
      return invalid("cell " + std::to_string(cells.size() + 1) +
                     " of the first line has a quote that does not close; mend it");
    cells.push_back(*std::move(cell));
    if (line.empty()) return cells;
    line.remove_prefix(1);
  }
}

Result<std::vector<std::string>> csv_header(const std::string& path, char delimiter, bool quoted) {
  const Result<std::string> line = first_line(path);
  if (!line) return Failure(line.error());
  return split_cells(trimmed(*line), delimiter, quoted);
}

}  // namespace vernier::engine
