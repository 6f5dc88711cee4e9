#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"

namespace vernier::engine {

// A flat column, and its type as files name it: "boolean", "integer", "real", "decimal", "string", "uuid", "date",
// "time", "timestamp", "binary", "list" or "unknown".
struct ParquetColumn {
  std::string name;
  std::string type;
};
std::vector<std::string> names_of(const std::vector<ParquetColumn>& columns);

// The flat columns of a Parquet file, in its order, as parquet_names().
Result<std::vector<ParquetColumn>> parquet_columns(const std::string& path);

// The same for a footer (a FileMetaData of parquet.thrift).
Result<std::vector<ParquetColumn>> columns_in_footer(std::string_view footer);

// The names of the flat columns of a Parquet file, in its order; columns within others are left out. Only the schema at
// the head of the footer is looked at, not the figures about the data that stand behind it.
Result<std::vector<std::string>> parquet_names(const std::string& path);

// The same for a footer (a FileMetaData of parquet.thrift).
Result<std::vector<std::string>> names_in_footer(std::string_view footer);

}  // namespace vernier::engine
