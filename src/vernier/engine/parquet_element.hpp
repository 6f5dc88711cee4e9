#pragma once

#include <string>
#include <vector>

#include "vernier/engine/thrift.hpp"

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

}  // namespace vernier::engine
