#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/parquet/thrift.hpp"

// The schema of a Parquet file as its footer has it: a tree, written down from its root.
namespace vernier::engine {

// The values of Type in parquet.thrift.
enum class ParquetPhysical : std::int8_t {
  none = -1,
  boolean = 0,
  int32 = 1,
  int64 = 2,
  int96 = 3,
  float32 = 4,
  float64 = 5,
  bytes = 6,
  fixed_bytes = 7
};

// A SchemaElement: a column, or a group of `children` that follow it.
struct ParquetElement {
  std::string name;
  std::int64_t children = 0;
  std::int64_t physical = -1;
  std::int64_t length = 0;  // of fixed_bytes
  std::int64_t repetition = 0;
  std::int64_t converted = -1;
  std::int64_t scale = 0;      // of decimals
  std::int64_t precision = 0;  // of decimals
  int logical = 0;             // which member of the union LogicalType there is; 0: none
  std::int64_t bits = 0;       // of the logical type of integers
  bool is_signed = true;       // likewise

  bool is_group() const { return children > 0; }
};

inline constexpr std::int64_t repeated_element = 2;

// The elements of a list of them, which is next. The reader has failed where they are none.
std::vector<ParquetElement> read_elements(ThriftReader& reader);

// Where the element behind this one and all that is within it stands.
std::size_t behind(const std::vector<ParquetElement>& elements, std::size_t i);

// What the footer of a Parquet file says about where its cells lie.
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
