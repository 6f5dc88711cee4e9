#include "vernier/study/parquet/file.hpp"

#include "vernier/study/parquet/columns.hpp"

namespace vernier::study {
namespace {

// The compact protocol of Thrift, as far as Parquet needs it: fields of a structure in ascending order.
class ThriftWriter {
 public:
  void whole(int field, std::int64_t value, bool is_wide = false) {
    head(field, is_wide ? 6 : 5);
    add_zigzag(bytes_, value);
  }
  void text(int field, std::string_view value) {
    head(field, 8);
    put_text(value);
  }
  void begin(int field) {
    head(field, 12);
    open();
  }
  void open() {
    outer_.push_back(last_);
    last_ = 0;
  }
  void end() {
    bytes_ += '\0';
    last_ = outer_.back();
    outer_.pop_back();
  }
  void list(int field, std::size_t size, int type) {
    constexpr std::size_t most_short = 14;
    head(field, 9);
    const std::size_t shown = size <= most_short ? size : most_short + 1;
    bytes_ += static_cast<char>(shown << 4 | static_cast<unsigned>(type));
    if (size > most_short) add_varint(bytes_, size);
  }
  void put_whole(std::int64_t value) { add_zigzag(bytes_, value); }
  void put_text(std::string_view value) {
    add_varint(bytes_, value.size());
    bytes_ += value;
  }
  std::string finished() && {
    bytes_ += '\0';
    return std::move(bytes_);
  }

  static constexpr int whole_type = 5, text_type = 8, structure_type = 12;

 private:
  void head(int field, int type) {
    bytes_ += static_cast<char>((field - last_) << 4 | type);  // fields are less than 16 apart
    last_ = field;
  }
  std::string bytes_;
  std::vector<int> outer_;
  int last_ = 0;
};

constexpr std::int64_t plain = 0, runs = 3;  // encodings

std::string data_head(std::int64_t rows, std::size_t size, ParquetWay way) {
  ThriftWriter head;
  head.whole(1, 0);
  head.whole(2, static_cast<std::int64_t>(size));
  head.whole(3, static_cast<std::int64_t>(size));
  head.begin(5);
  head.whole(1, rows);
  head.whole(2, static_cast<std::int64_t>(way));
  head.whole(3, runs);
  head.whole(4, runs);
  head.end();
  return std::move(head).finished();
}

std::string dictionary_head(std::size_t texts, std::size_t size) {
  constexpr std::int64_t dictionary_page = 2;
  ThriftWriter head;
  head.whole(1, dictionary_page);
  head.whole(2, static_cast<std::int64_t>(size));
  head.whole(3, static_cast<std::int64_t>(size));
  head.begin(7);
  head.whole(1, static_cast<std::int64_t>(texts));
  head.whole(2, plain);
  head.end();
  return std::move(head).finished();
}

// Each behind its length.
std::string plain_texts(const std::vector<std::string_view>& texts) {
  std::string bytes;
  for (const std::string_view text : texts) {
    for (int bit = 0; bit < 32; bit += 8) bytes += static_cast<char>(text.size() >> bit & 0xFF);
    bytes += text;
  }
  return bytes;
}

void add_schema(ThriftWriter& foot, const std::vector<ParquetColumn>& columns) {
  constexpr std::int64_t required = 0, optional = 1, utf8 = 0;
  foot.list(2, columns.size() + 1, ThriftWriter::structure_type);
  foot.open();
  foot.text(4, "cells");
  foot.whole(5, static_cast<std::int64_t>(columns.size()));
  foot.end();
  for (const ParquetColumn& one : columns) {
    const bool is_text = one.kind == ParquetKind::text;
    foot.open();
    foot.whole(1, static_cast<std::int64_t>(one.kind));
    foot.whole(3, is_text ? optional : required);
    foot.text(4, one.name);
    if (is_text) foot.whole(6, utf8);
    foot.end();
  }
}

}  // namespace

ParquetFile::ParquetFile(std::vector<ParquetColumn> columns) : columns_(std::move(columns)) {}

ParquetFile::Chunk ParquetFile::added(std::int64_t rows, const ParquetValues& column) {
  Chunk chunk{static_cast<std::int64_t>(bytes_.size()), -1, 0, 0, column.way};
  if (!column.dictionary.empty()) {
    const std::string texts = plain_texts(column.dictionary);
    chunk.dictionary = chunk.first;
    bytes_ += dictionary_head(column.dictionary.size(), texts.size()) + texts;
  }
  chunk.values = static_cast<std::int64_t>(bytes_.size());
  bytes_ += data_head(rows, column.bytes.size(), column.way);
  bytes_ += column.bytes;
  chunk.size = static_cast<std::int64_t>(bytes_.size()) - chunk.first;
  return chunk;
}

void ParquetFile::add_rows(std::int64_t rows, const std::vector<ParquetValues>& columns) {
  Part& part = parts_.emplace_back(Part{rows, {}});
  for (const ParquetValues& one : columns) part.chunks.push_back(added(rows, one));
}

std::string ParquetFile::finished() && {
  ThriftWriter foot;
  std::int64_t rows = 0;
  for (const Part& part : parts_) rows += part.rows;
  foot.whole(1, 1);
  add_schema(foot, columns_);
  foot.whole(3, rows, true);
  foot.list(4, parts_.size(), ThriftWriter::structure_type);
  for (const Part& part : parts_) {
    std::int64_t size = 0;
    foot.open();
    foot.list(1, part.chunks.size(), ThriftWriter::structure_type);
    for (std::size_t i = 0; i < part.chunks.size(); ++i) {
      const Chunk& chunk = part.chunks[i];
      foot.open();
      foot.whole(2, chunk.first, true);
      foot.begin(3);
      foot.whole(1, static_cast<std::int64_t>(columns_[i].kind));
      foot.list(2, 3, ThriftWriter::whole_type);
      for (const std::int64_t way : {static_cast<std::int64_t>(chunk.way), plain, runs}) foot.put_whole(way);
      foot.list(3, 1, ThriftWriter::text_type);
      foot.put_text(columns_[i].name);
      foot.whole(4, 0);
      foot.whole(5, part.rows, true);
      foot.whole(6, chunk.size, true);
      foot.whole(7, chunk.size, true);
      foot.whole(9, chunk.values, true);
      if (chunk.dictionary >= 0) foot.whole(11, chunk.dictionary, true);
      foot.end();
      foot.end();
      size += chunk.size;
    }
    foot.whole(2, size, true);
    foot.whole(3, part.rows, true);
    foot.end();
  }
  foot.text(6, "vernier");
  const std::string content = std::move(foot).finished();
  bytes_ += content;
  for (int bit = 0; bit < 32; bit += 8) bytes_ += static_cast<char>(content.size() >> bit & 0xFF);
  bytes_ += "PAR1";
  return std::move(bytes_);
}

}  // namespace vernier::study
