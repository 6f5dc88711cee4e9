#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/file_state.hpp"
#include "vernier/engine/parquet/metadata.hpp"

namespace vernier::engine {

// How the cells of a column lie in the file.
struct ParquetStorage {
  ParquetPhysical physical = ParquetPhysical::none;
  int scale = 0;            // of decimals: 10^-scale times a whole number
  int bits = 0;             // of integers: 8, 16, 32 or 64
  bool is_signed = true;    // of integers
  bool is_float16 = false;  // of reals in fixed_bytes

  friend bool operator==(const ParquetStorage&, const ParquetStorage&) = default;
};

// A flat column, and its type as files name it: "boolean", "integer", "real", "decimal", "string", "uuid", "date",
// "time", "timestamp", "binary", "list" or "unknown", which is also every type that is stored in another way than
// Parquet has it (a date in 64 bits, a decimal of more than 38 digits).
struct ParquetColumn {
  std::string name;
  std::string type;
  ParquetStorage storage = {};

  friend bool operator==(const ParquetColumn&, const ParquetColumn&) = default;
};
std::vector<std::string> names_of(const std::vector<ParquetColumn>& columns);

// The column of an element that is no group.
ParquetColumn column_of(const ParquetElement& element);

// The flat columns of a Parquet file, in its order; columns within others are left out. Only the schema at the head of
// the footer is looked at, not the figures about the data that stand behind it.
Result<std::vector<ParquetColumn>> parquet_columns(const std::string& path);

// The same for a footer (a FileMetaData of parquet.thrift).
Result<std::vector<ParquetColumn>> columns_in_footer(std::string_view footer);

// Their names alone.
Result<std::vector<std::string>> parquet_names(const std::string& path);
Result<std::vector<std::string>> names_in_footer(std::string_view footer);

// The footer of a Parquet file, and which file it was read from.
struct ParquetFile {
  std::string footer;  // a FileMetaData of parquet.thrift
  FileState state;

  // Of what is no Parquet file, is encrypted or cannot be read it says so; nothing but the footer is read.
  static Result<ParquetFile> open(const std::string& path);

  std::int64_t data_end() const;  // where the footer begins
};

inline constexpr std::int64_t parquet_tail = 8;  // behind the footer: its length, and "PAR1"

Failure damaged_footer();

}  // namespace vernier::engine
