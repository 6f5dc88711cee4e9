#pragma once

#include <memory>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/sql/session.hpp"

namespace vernier::engine {

struct DuckDbOptions {
  int threads = 0;                    // 0: as many as the machine has
  std::int64_t memory_megabytes = 0;  // 0: the engine's own rule
  bool portable = false;              // by the statements of other engines, which give the same integers
};

// The embedded engine, locked down before it sees a statement: the declared files and the given rows alone, no
// extensions, no configuration. It holds the rows in memory until it is gone.
Result<std::unique_ptr<Session>> open_duckdb(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                                             const DuckDbOptions& options = {}, const MemoryTables& memory = {});

// The public tables among these that lie in files, read for another engine; an error where one has more rows than can
// be sent along.
Result<std::vector<SentTable>> read_public_tables(const query::Catalog& catalog,
                                                  const std::vector<query::Table>& tables);

}  // namespace vernier::engine
