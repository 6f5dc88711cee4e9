#pragma once

#include <string>
#include <vector>

#include "bytes/odd_bytes.hpp"
#include "support/parquet_file.hpp"
#include "vernier/query/value.hpp"

// Every way in which Parquet may store a value that a catalog could be asked to declare.
namespace vernier::bytes {

struct StoredKind {
  testing::ParquetKind kind;
  query::Type declared;  // the type that goes with it, or would
  bool is_read;          // false: no declared type goes with it, and the schema is refused
};

const std::vector<StoredKind>& stored_kinds();

// Values as they are stored: one that its type has, and bytes that may be none.
std::string clean_value(Draw& draw, const testing::ParquetKind& kind);
std::string odd_value(Draw& draw, const testing::ParquetKind& kind, Oddity oddity);

}  // namespace vernier::bytes
