#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/engine/arrow/abi.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// Rows in the memory of the calling program, as Arrow; they are read where they are. It never changes, and may be read
// by many threads and many times.
class ArrowTable {
 public:
  // Takes all batches out of the stream, which is released whatever comes of it. Refused: a stream that fails or is
  // released, one whose values are no rows of columns, and structures that are not as the specification has them. No
  // sentence repeats what the stream says, since that may be data.
  static Result<std::shared_ptr<const ArrowTable>> take(ArrowArrayStream* stream);

  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;
  ~ArrowTable();  // releases the batches, in whichever thread it is the last to hold them

  std::vector<std::string> names() const;  // of all columns, in order
  const ArrowSchema& schema() const { return schema_; }
  const std::vector<ArrowArray>& batches() const { return batches_; }
  std::int64_t rows() const { return rows_; }

 private:
  ArrowTable() = default;
  Result<void> read(ArrowArrayStream& stream);

  ArrowSchema schema_{};
  std::vector<ArrowArray> batches_;
  std::int64_t rows_ = 0;
};

// The sentence about structures that are not as the specification has them: what is wrong.
Failure malformed_arrow(const std::string& what);

// The rows of tables that a catalog declares with format = "arrow", by the name of the table, whatever its
// case.
using MemoryTables = std::map<std::string, std::shared_ptr<const ArrowTable>, std::less<>>;

// That all rows that are given belong to a table that is declared so.
Result<void> check_memory(const query::Catalog& catalog, const MemoryTables& memory);

// The rows of a table that is declared so.
Result<std::shared_ptr<const ArrowTable>> rows_of(const query::Table& table, const MemoryTables& memory);

}  // namespace vernier::engine
