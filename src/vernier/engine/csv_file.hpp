#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/csv_cells.hpp"
#include "vernier/engine/file_identity.hpp"

namespace vernier::engine {

// A CSV file, opened once: header and rows come from the same file, whatever its path leads to later. It is as long as
// it was when it was opened.
class CsvFile {
 public:
  // Reads the header, byte by byte, and nothing behind it.
  static Result<std::shared_ptr<const CsvFile>> open(const std::filesystem::path& path, const CsvFormat& format);
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;
  ~CsvFile();

  const std::vector<std::string>& names() const { return names_; }
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
