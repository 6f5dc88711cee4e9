#include "vernier/engine/csv/rows.hpp"

#include <algorithm>
#include <cstring>

namespace vernier::engine {
namespace {

constexpr std::size_t first_room = std::size_t{1} << 18;
constexpr std::int64_t read_beyond = std::int64_t{1} << 14;  // the end of the last row of a stretch

std::string_view without_return(std::string_view row) {
  if (row.ends_with('\r')) row.remove_suffix(1);
  return row;
}

}  // namespace

// As take_cell() cuts it.
RowEnd::Place RowEnd::behind(char byte) const {
  if (place_ == Place::quotes) return byte == '"' ? Place::closed : Place::quotes;
  if (place_ == Place::unreadable || place_ == Place::returned) return Place::unreadable;
  if (byte == format_.delimiter) return Place::cell;
  if (place_ == Place::closed) return byte == '"' ? Place::quotes : byte == '\r' ? Place::returned : Place::unreadable;
  return place_ == Place::cell && byte == '"' ? Place::quotes : Place::plain;
}

std::size_t RowEnd::find(std::string_view piece) {
  if (!format_.line_breaks) return piece.find('\n');
  for (std::size_t i = 0; i < piece.size(); ++i) {
    if (piece[i] == '\n' && place_ != Place::quotes) return i;
    place_ = behind(piece[i]);
  }
  return std::string_view::npos;
}

CsvRows::CsvRows(const CsvFile& file)
    : file_(file), room_(first_room), buffer_(std::make_unique_for_overwrite<char[]>(first_room)) {}

// A row begins behind a line feed.
void CsvRows::begin(std::int64_t first, std::int64_t last) {
  begin_ = end_ = 0;
  offset_ = first;
  last_ = last;
  if (first == file_.first_row()) return;
  --offset_;
  RowEnd end(file_.format());
  skip(end, last);
}

bool CsvRows::read_on() {
  std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
  end_ -= begin_;
  begin_ = 0;
  if (end_ == room_) {
    auto larger = std::make_unique_for_overwrite<char[]>(2 * room_);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
    room_ *= 2;
  }
  const std::int64_t wanted = std::max(last_ - offset_, std::int64_t{0}) + read_beyond;
  const auto count =
      static_cast<std::size_t>(std::min({static_cast<std::int64_t>(room_ - end_), wanted, file_.end() - offset_}));
  if (!file_.read(offset_, buffer_.get() + end_, count)) {
    has_failed_ = true;
    return false;
  }
  end_ += count;
  offset_ += static_cast<std::int64_t>(count);
  return true;
}

// To behind the end of the row, or to the limit where that is sooner.
void CsvRows::skip(RowEnd& end, std::int64_t limit) {
  while (true) {
    const std::size_t found = end.find({buffer_.get() + begin_, end_ - begin_});
    begin_ = found == std::string_view::npos ? end_ : begin_ + found + 1;
    if (found != std::string_view::npos || offset_ >= limit || !read_on()) return;
  }
}

bool CsvRows::next(std::string_view& row) {
  if (has_failed_ || place() >= last_) return false;
  RowEnd end(file_.format());
  for (std::size_t seen = 0;;) {
    const std::size_t found = end.find({buffer_.get() + begin_ + seen, end_ - begin_ - seen});
    const bool is_ended = found != std::string_view::npos;
    seen = is_ended ? seen + found : end_ - begin_;
    if (is_ended || offset_ == file_.end()) {
      row = without_return({buffer_.get() + begin_, seen});
      if (row.size() > longest_row) row = "";
      begin_ += seen + (is_ended ? 1 : 0);
      return true;
    }
    if (seen > longest_row + 1) {
      row = "";
      begin_ = end_;
      skip(end, file_.end());
      return !has_failed_;
    }
    if (!read_on()) return false;
  }
}

}  // namespace vernier::engine
