#pragma once

#include <memory>
#include <vector>

#include "vernier/engine/engine.hpp"

namespace vernier::engine {

struct DuckDbOptions {
  int threads = 0;                    // 0: as many as the machine has
  std::int64_t memory_megabytes = 0;  // 0: the engine's own rule
};

// The embedded engine, locked down before it sees a statement: the declared files and the given rows alone, no
// extensions, no configuration. It holds the rows in memory until it is gone.
Result<std::unique_ptr<Session>> open_duckdb(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                                             const DuckDbOptions& options = {}, const MemoryTables& memory = {});

}  // namespace vernier::engine
