#include "support/parquet_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "support/thrift_writer.hpp"

namespace vernier::testing {
namespace {

constexpr int plain = 0, rle = 3, rle_dictionary = 8;
constexpr int data_page = 0, dictionary_page = 2;

template <class Number>
std::string little_endian(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string counted(const std::string& bytes) {
  return little_endian(static_cast<std::uint32_t>(bytes.size())) + bytes;
}

// Runs of one value each, of at most eight bits: the hybrid of RLE and packed bits in its plainest form.
std::string runs_of(const std::vector<std::size_t>& values) {
  std::string runs;
  for (const std::size_t value : values) runs.append(1, '\2').append(1, static_cast<char>(value));
  return runs;
}

std::string plain_values(ParquetPhysical physical, const std::vector<std::string>& values) {
  std::string bytes;
  if (physical == ParquetPhysical::boolean) {
    bytes.resize((values.size() + 7) / 8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != std::string(1, '\0')) bytes[i / 8] = static_cast<char>(bytes[i / 8] | 1 << i % 8);
    }
    return bytes;
  }
  for (const std::string& value : values) bytes += physical == ParquetPhysical::bytes ? counted(value) : value;
  return bytes;
}

void write_unit(ThriftWriter& writer, int unit) {
  writer.boolean(1, true).record(2, [&](ThriftWriter& time) { time.record(unit, [](ThriftWriter&) {}); });
}

void write_logical(ThriftWriter& writer, const ParquetKind& kind) {
  writer.record(static_cast<int>(*kind.logical), [&](ThriftWriter& type) {
    if (kind.logical == ParquetLogical::decimal) type.i32(1, kind.scale).i32(2, kind.precision);
    if (kind.logical == ParquetLogical::integer)
      type.byte(1, static_cast<std::int8_t>(std::abs(kind.detail))).boolean(2, kind.detail > 0);
    if (kind.logical == ParquetLogical::time || kind.logical == ParquetLogical::timestamp)
      write_unit(type, kind.detail);
  });
}

void write_schema(ThriftWriter& writer, const ParquetColumnData& column) {
  const ParquetKind& kind = column.kind;
  writer.i32(1, static_cast<int>(kind.physical));
  if (kind.physical == ParquetPhysical::fixed) writer.i32(2, kind.length);
  writer.i32(3, column.is_optional ? 1 : 0).binary(4, column.name);
  if (kind.converted) writer.i32(6, static_cast<int>(*kind.converted));
  if (kind.precision > 0) writer.i32(7, kind.scale).i32(8, kind.precision);
  if (kind.logical) writer.record(10, [&](ThriftWriter& type) { write_logical(type, kind); });
}

struct Ends {
  std::string least, greatest;
};

template <class Number>
std::optional<Ends> number_ends(const std::vector<std::string>& values) {
  std::vector<Number> numbers;
  for (const std::string& value : values) {
    Number number;
    std::memcpy(&number, value.data(), sizeof number);
    if (!(number != number)) numbers.push_back(number);
  }
  if (numbers.empty()) return std::nullopt;
  const auto [least, greatest] = std::minmax_element(numbers.begin(), numbers.end());
  return Ends{little_endian(*least), little_endian(*greatest)};
}

bool is_unsigned(const ParquetKind& kind) {
  return kind.detail < 0 || (kind.converted >= ParquetConverted::uint8 && kind.converted <= ParquetConverted::uint64);
}

// std::string compares bytes without a sign, as texts are ordered; decimals and halves have an order of their own.
std::optional<Ends> ends_of(const ParquetKind& kind, const std::vector<std::string>& values) {
  const bool is_decimal = kind.precision > 0, has_own_order = kind.logical == ParquetLogical::float16 || is_decimal;
  switch (kind.physical) {
    case ParquetPhysical::int32:
      return is_unsigned(kind) ? number_ends<std::uint32_t>(values) : number_ends<std::int32_t>(values);
    case ParquetPhysical::int64:
      return is_unsigned(kind) ? number_ends<std::uint64_t>(values) : number_ends<std::int64_t>(values);
    case ParquetPhysical::real32:
      return number_ends<float>(values);
    case ParquetPhysical::real64:
      return number_ends<double>(values);
    case ParquetPhysical::bytes:
    case ParquetPhysical::fixed: {
      if (has_own_order || values.empty()) return std::nullopt;
      const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
      return Ends{*least, *greatest};
    }
    default:
      return std::nullopt;
  }
}

void write_statistics(ThriftWriter& writer, const Ends& ends, std::size_t nulls) {
  writer.i64(3, static_cast<std::int64_t>(nulls)).binary(5, ends.greatest).binary(6, ends.least);
}

// A column of a row group, and where it lies.
struct Chunk {
  const ParquetColumnData* column;
  std::size_t rows;
  std::size_t nulls;
  std::size_t dictionary_at = 0, data_at = 0, size = 0;
  bool has_dictionary;
  std::optional<Ends> ends;
};

struct Group {
  std::size_t rows;
  std::vector<Chunk> chunks;
};

std::string page(int type, const std::string& body, std::size_t values, int encoding) {
  const auto size = static_cast<std::int64_t>(body.size()), count = static_cast<std::int64_t>(values);
  ThriftWriter writer;
  writer.record([&](ThriftWriter& head) {
    head.i32(1, type).i32(2, size).i32(3, size);
    head.record(type == data_page ? 5 : 7, [&](ThriftWriter& own) {
      own.i32(1, count).i32(2, encoding);
      if (type == data_page) own.i32(3, rle).i32(4, rle);
    });
  });
  return writer.bytes() + body;
}

// Different values in the order in which they come, and of each value its place among them.
struct Dictionary {
  std::vector<std::string> values;
  std::vector<std::size_t> places;
};

Dictionary dictionary_of(const std::vector<std::string>& values) {
  Dictionary dictionary;
  for (const std::string& value : values) {
    const auto found = std::find(dictionary.values.begin(), dictionary.values.end(), value);
    dictionary.places.push_back(static_cast<std::size_t>(found - dictionary.values.begin()));
    if (found == dictionary.values.end()) dictionary.values.push_back(value);
  }
  return dictionary;
}

std::string levels_of(const std::vector<ParquetCell>& cells) {
  std::vector<std::size_t> levels;
  for (const ParquetCell& cell : cells) levels.push_back(cell ? 1 : 0);
  return counted(runs_of(levels));
}

Chunk write_chunk(std::string& file, const ParquetColumnData& column, const std::vector<ParquetCell>& cells) {
  std::vector<std::string> values;
  for (const ParquetCell& cell : cells) {
    if (cell) values.push_back(*cell);
  }
  const ParquetPhysical physical = column.kind.physical;
  Chunk chunk{.column = &column,
              .rows = cells.size(),
              .nulls = cells.size() - values.size(),
              .has_dictionary = column.has_dictionary && physical != ParquetPhysical::boolean && !values.empty(),
              .ends = column.has_statistics ? ends_of(column.kind, values) : std::nullopt};
  const std::size_t begin = file.size();
  const Dictionary dictionary = chunk.has_dictionary ? dictionary_of(values) : Dictionary();
  if (chunk.has_dictionary) {
    chunk.dictionary_at = begin;
    file += page(dictionary_page, plain_values(physical, dictionary.values), dictionary.values.size(), plain);
  }
  chunk.data_at = file.size();
  const std::string body =
      (column.is_optional ? levels_of(cells) : "") +
      (chunk.has_dictionary ? '\x08' + runs_of(dictionary.places) : plain_values(physical, values));
  file += page(data_page, body, cells.size(), chunk.has_dictionary ? rle_dictionary : plain);
  chunk.size = file.size() - begin;
  return chunk;
}

void write_chunk_metadata(ThriftWriter& writer, const Chunk& chunk) {
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  writer.i64(2, whole(chunk.has_dictionary ? chunk.dictionary_at : chunk.data_at));
  writer.record(3, [&](ThriftWriter& data) {
    data.i32(1, static_cast<int>(chunk.column->kind.physical));
    data.numbers(2, chunk.has_dictionary ? std::vector<int>{plain, rle, rle_dictionary} : std::vector<int>{plain, rle});
    data.texts(3, {chunk.column->name}).i32(4, 0).i64(5, whole(chunk.rows));
    data.i64(6, whole(chunk.size)).i64(7, whole(chunk.size)).i64(9, whole(chunk.data_at));
    if (chunk.has_dictionary) data.i64(11, whole(chunk.dictionary_at));
    if (chunk.ends)
      data.record(12, [&](ThriftWriter& statistics) { write_statistics(statistics, *chunk.ends, chunk.nulls); });
  });
}

void write_group_metadata(ThriftWriter& writer, const Group& group) {
  std::size_t size = 0;
  for (const Chunk& chunk : group.chunks) size += chunk.size;
  writer.records(1, group.chunks, write_chunk_metadata);
  writer.i64(2, static_cast<std::int64_t>(size)).i64(3, static_cast<std::int64_t>(group.rows));
}

std::string footer_of(const std::vector<ParquetColumnData>& columns, const std::vector<Group>& groups,
                      std::size_t rows) {
  std::vector<const ParquetColumnData*> schema = {nullptr};  // the root comes first
  for (const ParquetColumnData& column : columns) schema.push_back(&column);
  ThriftWriter writer;
  writer.record([&](ThriftWriter& file) {
    file.i32(1, 1);
    file.records(2, schema, [&](ThriftWriter& element, const ParquetColumnData* column) {
      if (column != nullptr) return write_schema(element, *column);
      element.binary(4, "schema").i32(5, static_cast<std::int64_t>(columns.size()));
    });
    file.i64(3, static_cast<std::int64_t>(rows)).records(4, groups, write_group_metadata).binary(6, "by hand");
  });
  return writer.bytes();
}

}  // namespace

std::string parquet_file(const std::vector<ParquetColumnData>& columns, std::size_t rows_per_group) {
  const std::size_t rows = columns.empty() ? 0 : columns.front().cells.size();
  std::string file = "PAR1";
  std::vector<Group> groups;
  for (std::size_t first = 0; first < rows; first += rows_per_group) {
    Group group{std::min(rows_per_group, rows - first), {}};
    for (const ParquetColumnData& column : columns) {
      const auto begin = column.cells.begin() + static_cast<std::ptrdiff_t>(first);
      group.chunks.push_back(write_chunk(file, column, {begin, begin + static_cast<std::ptrdiff_t>(group.rows)}));
    }
    groups.push_back(std::move(group));
  }
  const std::string footer = footer_of(columns, groups, rows);
  return file + footer + little_endian(static_cast<std::uint32_t>(footer.size())) + "PAR1";
}

}  // namespace vernier::testing
