#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "vernier/engine/csv/file.hpp"

namespace vernier::engine {

// A row of more bytes is one without values, so that what a row needs of memory has an end.
inline constexpr std::size_t longest_row = std::size_t{1} << 24;

// Finds the line feed that ends a row, whose bytes come piece by piece: the first one, or, where there may be line
// breaks within quotes, the first outside of them.
class RowEnd {
 public:
  explicit RowEnd(const CsvFormat& format) : format_(format) {}
  std::size_t find(std::string_view piece);  // npos where the row goes on behind it

 private:
  enum class Place : std::uint8_t { cell, plain, quotes, closed, returned, unreadable };
  Place behind(char byte) const;

  CsvFormat format_;
  Place place_ = Place::cell;
};

// The rows that begin in a stretch of a file, one after another. Every line behind the header is one row, an empty line
// too, and the last one with or without a line feed: no byte of it but its line feed decides about other rows.
class CsvRows {
 public:
  explicit CsvRows(const CsvFile& file);
  void begin(std::int64_t first, std::int64_t last);

  // Without the end of its line; valid until the next one is asked for. One that is too long is empty. False at the
  // end, and where the file can no longer be read.
  bool next(std::string_view& row);
  bool has_failed() const { return has_failed_; }

 private:
  std::int64_t place() const { return offset_ - static_cast<std::int64_t>(end_ - begin_); }
  bool read_on();
  void skip(RowEnd& end, std::int64_t limit);

  const CsvFile& file_;
  std::size_t room_;
  std::unique_ptr<char[]> buffer_;
  std::size_t begin_ = 0;  // of what was read and not yet given
  std::size_t end_ = 0;
  std::int64_t offset_ = 0;  // in the file, of what is to be read next
  std::int64_t last_ = 0;    // rows that begin here or later are not of this stretch
  bool has_failed_ = false;
};

}  // namespace vernier::engine
