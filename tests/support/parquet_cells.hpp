#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/parquet/metadata.hpp"
#include "vernier/engine/parquet/thrift.hpp"

// Parquet files of any cells under any annotation, which no writer of tables would write: one group of rows, a page for
// each column, nothing compressed.
namespace vernier::testing {

using engine::ParquetPhysical;
using engine::ThriftWriter;

struct ParquetCells {
  std::string name = {};
  ParquetPhysical physical = ParquetPhysical::none;
  std::vector<std::optional<std::string>> cells = {};  // the bytes of each; none: NULL
  int length = 0;                                      // of fixed_bytes
  std::optional<int> converted = {};                   // of ConvertedType
  std::function<void(ThriftWriter&)> logical = {};     // writes the member of LogicalType
  bool has_dictionary = false;
  std::optional<std::string> least = {}, greatest = {};  // what the statistics say
  int precision = 0, scale = 0;                          // of decimals, where converted says so
};

// The member of LogicalType that has no parameters.
inline std::function<void(ThriftWriter&)> logical(int member) {
  return [member](ThriftWriter& writer) {
    writer.record(member);
    writer.end();
  };
}

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}

namespace parquet {

using Kind = ThriftWriter::Kind;

inline std::string varint(std::uint64_t value) {
  std::string text;
  for (; value >= 0x80; value >>= 7) text += static_cast<char>(0x80 | (value & 0x7F));
  return text + static_cast<char>(value);
}

// One run of packed bits, each number with `width` of them (at most 8).
inline std::string packed(const std::vector<unsigned>& numbers, unsigned width) {
  const std::size_t groups = (numbers.size() + 7) / 8;
  std::string bytes(groups * width, '\0');
  for (std::size_t i = 0; i < numbers.size() * width; ++i) {
    const unsigned bit = numbers[i / width] >> (i % width) & 1U;
    bytes[i / 8] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) | bit << (i % 8));
  }
  return varint(groups << 1 | 1) + bytes;
}

inline std::string plain(const ParquetCells& column, const std::vector<std::string>& cells) {
  std::string bytes;
  if (column.physical == ParquetPhysical::boolean) {
    std::vector<unsigned> bits;
    for (const std::string& cell : cells) bits.push_back(cell.front() != '\0' ? 1 : 0);
    return packed(bits, 1).substr(varint((bits.size() + 7) / 8 << 1 | 1).size());
  }
  for (const std::string& cell : cells) {
    if (column.physical == ParquetPhysical::bytes) bytes += little_endian(cell.size(), 4);
    bytes += cell;
  }
  return bytes;
}

inline std::string levels(const ParquetCells& column) {
  std::vector<unsigned> present;
  for (const auto& cell : column.cells) present.push_back(cell ? 1 : 0);
  const std::string run = packed(present, 1);
  return little_endian(run.size(), 4) + run;
}

inline std::vector<std::string> present(const ParquetCells& column) {
  std::vector<std::string> cells;
  for (const auto& cell : column.cells) {
    if (cell) cells.push_back(*cell);
  }
  return cells;
}

inline std::string page(int type, std::size_t values, int encoding, const std::string& body) {
  const bool is_data = type == 0;
  ThriftWriter writer;
  writer.integer(1, Kind::i32, type);
  writer.integer(2, Kind::i32, static_cast<std::int64_t>(body.size()));
  writer.integer(3, Kind::i32, static_cast<std::int64_t>(body.size()));
  writer.record(is_data ? 5 : 7);
  writer.integer(1, Kind::i32, static_cast<std::int64_t>(values));
  writer.integer(2, Kind::i32, encoding);
  if (is_data) writer.integer(3, Kind::i32, 3);
  if (is_data) writer.integer(4, Kind::i32, 3);
  writer.end();
  writer.end();
  return writer.bytes() + body;
}

inline constexpr int plain_encoding = 0, dictionary_encoding = 8;

// Where the pages of a column lie.
struct Placed {
  std::int64_t first, data, size;
};

// The dictionary has every cell once, in their order (at most 256 rows).
inline Placed put(std::string& file, const ParquetCells& column) {
  const std::vector<std::string> cells = present(column);
  Placed placed{static_cast<std::int64_t>(file.size()), 0, 0};
  std::string body = levels(column);
  if (column.has_dictionary) {
    file += page(2, cells.size(), plain_encoding, plain(column, cells));
    std::vector<unsigned> places;
    for (unsigned i = 0; i < cells.size(); ++i) places.push_back(i);
    body += '\x08' + packed(places, 8);
  } else {
    body += plain(column, cells);
  }
  placed.data = static_cast<std::int64_t>(file.size());
  file += page(0, column.cells.size(), column.has_dictionary ? dictionary_encoding : plain_encoding, body);
  placed.size = static_cast<std::int64_t>(file.size()) - placed.first;
  return placed;
}

inline void write_element(ThriftWriter& writer, const ParquetCells& column) {
  writer.element();
  writer.integer(1, Kind::i32, static_cast<std::int64_t>(column.physical));
  if (column.length > 0) writer.integer(2, Kind::i32, column.length);
  writer.integer(3, Kind::i32, 1);
  writer.binary(4, column.name);
  if (column.converted) writer.integer(6, Kind::i32, *column.converted);
  if (column.precision > 0) writer.integer(7, Kind::i32, column.scale);
  if (column.precision > 0) writer.integer(8, Kind::i32, column.precision);
  if (column.logical) {
    writer.record(10);
    column.logical(writer);
    writer.end();
  }
  writer.end();
}

inline void write_statistics(ThriftWriter& writer, const ParquetCells& column) {
  writer.record(12);
  if (column.greatest) writer.binary(1, *column.greatest);
  if (column.least) writer.binary(2, *column.least);
  writer.integer(3, Kind::i64, 0);
  if (column.greatest) writer.binary(5, *column.greatest);
  if (column.least) writer.binary(6, *column.least);
  writer.end();
}

inline void write_chunk(ThriftWriter& writer, const ParquetCells& column, const Placed& placed) {
  writer.element();
  writer.integer(2, Kind::i64, placed.first);
  writer.record(3);
  writer.integer(1, Kind::i32, static_cast<std::int64_t>(column.physical));
  writer.list(2, Kind::i32, 2);
  writer.element(std::int64_t{plain_encoding});
  writer.element(std::int64_t{dictionary_encoding});
  writer.list(3, Kind::binary, 1);
  writer.element(std::string_view(column.name));
  writer.integer(4, Kind::i32, 0);
  writer.integer(5, Kind::i64, static_cast<std::int64_t>(column.cells.size()));
  writer.integer(6, Kind::i64, placed.size);
  writer.integer(7, Kind::i64, placed.size);
  writer.integer(9, Kind::i64, placed.data);
  if (column.has_dictionary) writer.integer(11, Kind::i64, placed.first);
  if (column.least || column.greatest) write_statistics(writer, column);
  writer.end();
  writer.end();
}

}  // namespace parquet

// The footer of such a file, for cells that lie at these places.
inline std::string parquet_footer(const std::vector<ParquetCells>& columns,
                                  const std::vector<parquet::Placed>& placed) {
  using Kind = ThriftWriter::Kind;
  const auto rows = static_cast<std::int64_t>(columns.front().cells.size());
  ThriftWriter writer;
  writer.integer(1, Kind::i32, 1);
  writer.list(2, Kind::record, columns.size() + 1);
  writer.element();
  writer.binary(4, "schema");
  writer.integer(5, Kind::i32, static_cast<std::int64_t>(columns.size()));
  writer.end();
  for (const ParquetCells& column : columns) parquet::write_element(writer, column);
  writer.integer(3, Kind::i64, rows);
  writer.list(4, Kind::record, 1);
  writer.element();
  writer.list(1, Kind::record, columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) parquet::write_chunk(writer, columns[i], placed[i]);
  writer.integer(2, Kind::i64, 1);
  writer.integer(3, Kind::i64, rows);
  writer.end();
  writer.binary(6, "tests of vernier");
  writer.end();
  return writer.bytes();
}

// A column `id` of 64 bits: 0, 1, 2 and so on.
inline ParquetCells row_numbers(std::size_t rows) {
  ParquetCells ids{.name = "id", .physical = ParquetPhysical::int64, .cells = {}};
  for (std::size_t i = 0; i < rows; ++i) ids.cells.emplace_back(little_endian(i, 8));
  return ids;
}

// All columns have as many cells.
inline std::string parquet_file(const std::vector<ParquetCells>& columns) {
  std::string file = "PAR1";
  std::vector<parquet::Placed> placed;
  for (const ParquetCells& column : columns) placed.push_back(parquet::put(file, column));
  const std::string footer = parquet_footer(columns, placed);
  return file + footer + little_endian(footer.size(), 4) + "PAR1";
}

}  // namespace vernier::testing
