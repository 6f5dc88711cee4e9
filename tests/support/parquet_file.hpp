#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// Parquet files made by hand, so that any bytes can stand where a value is expected: one column after another, data
// pages of version 1, nothing compressed. What an engine would refuse to write, this writes.
namespace vernier::testing {

// The physical types of parquet.thrift.
enum class ParquetPhysical : std::uint8_t { boolean, int32, int64, int96, real32, real64, bytes, fixed };

// The values of ConvertedType.
enum class ParquetConverted : std::uint8_t {
  utf8 = 0,
  as_enum = 4,
  decimal = 5,
  date = 6,
  time_millis = 7,
  time_micros = 8,
  timestamp_millis = 9,
  timestamp_micros = 10,
  uint8 = 11,
  uint16 = 12,
  uint32 = 13,
  uint64 = 14,
  int8 = 15,
  int16 = 16,
  int32 = 17,
  int64 = 18,
  json = 19,
  bson = 20,
  interval = 21
};

// The members of LogicalType.
enum class ParquetLogical : std::uint8_t {
  string = 1,
  as_enum = 4,
  decimal = 5,
  date = 6,
  time = 7,
  timestamp = 8,
  integer = 10,
  unknown = 11,
  json = 12,
  bson = 13,
  uuid = 14,
  float16 = 15
};

// How a column is stored.
struct ParquetKind {
  std::string name;  // for messages
  ParquetPhysical physical;
  std::optional<ParquetConverted> converted = {};
  std::optional<ParquetLogical> logical = {};
  int detail =
      0;  // of logical: the bits of an integer (negative: unsigned), or the unit of a time (1: ms, 2: us, 3: ns)
  int length = 0;                // of fixed: bytes
  int scale = 0, precision = 0;  // of decimals
};

// A cell is the value's bytes as they are stored, without the length that stands before a BYTE_ARRAY; of a boolean one
// byte, 0 or 1. Nothing is NULL, which only an optional column has.
using ParquetCell = std::optional<std::string>;

struct ParquetColumnData {
  std::string name;
  ParquetKind kind;
  std::vector<ParquetCell> cells;
  bool is_optional = true;
  bool has_dictionary = false;  // booleans never have one; up to 256 different values
  bool has_statistics = false;  // where the order of values is a simple one
};

// The file, its rows in groups of so many.
std::string parquet_file(const std::vector<ParquetColumnData>& columns, std::size_t rows_per_group = 1000);

}  // namespace vernier::testing
