#pragma once

#include <string>

#include "vernier/core/result.hpp"
#include "vernier/engine/file_state.hpp"

namespace vernier::engine {

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
