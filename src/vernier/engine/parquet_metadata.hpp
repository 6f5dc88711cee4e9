#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/parquet_element.hpp"

// What the footer of a Parquet file says about where its cells lie.
namespace vernier::engine {

// The ids of parquet.thrift, of what is read.
namespace parquet_field {
namespace file {
constexpr int version = 1, schema = 2, rows = 3, groups = 4, encryption = 8;
}
namespace element {
constexpr int type = 1, length = 2, repetition = 3, name = 4, children = 5;
}
namespace group {
constexpr int columns = 1, bytes = 2, rows = 3;
}
namespace chunk {
constexpr int file = 1, offset = 2, data = 3, encryption = 8, encrypted = 9;
}
namespace data {
constexpr int type = 1, encodings = 2, path = 3, codec = 4, values = 5, uncompressed = 6, compressed = 7, page = 9,
              dictionary = 11;
}
}  // namespace parquet_field

using ParquetNumber = std::optional<std::int64_t>;  // none: it is not there

// A ColumnChunk with its ColumnMetaData: where the cells of a column lie, for one group of rows.
struct ParquetChunk {
  bool is_here = true;  // in this file, and not encrypted
  ParquetNumber offset, type, codec, values, uncompressed, compressed, page, dictionary;
  std::vector<std::int64_t> encodings;
  std::vector<std::string> path;
};

struct ParquetGroup {
  std::vector<ParquetChunk> chunks;  // one per leaf of the schema
  ParquetNumber bytes, rows;
};

struct ParquetMetadata {
  bool is_encrypted = false;
  ParquetNumber version, rows;
  std::vector<ParquetElement> elements;
  std::vector<ParquetGroup> groups;
};

// A FileMetaData, which is next. The reader has failed where it is none; whether it makes sense is not looked at.
ParquetMetadata read_metadata(ThriftReader& reader);

}  // namespace vernier::engine
