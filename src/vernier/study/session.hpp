#pragma once

#include <memory>
#include <vector>

#include "vernier/engine/engine.hpp"
#include "vernier/engine/spark/connection.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::study {

// The engine of the catalog with these tables, looked at and probed: what is wrong with address, rights, tables and
// columns is told here, before anything is spent. No row of a protected table is read. Where the program has a session
// of the engine, that is asked.
Result<std::unique_ptr<engine::Session>> open_session(const query::Catalog& catalog,
                                                      const std::vector<query::Table>& tables,
                                                      const engine::MemoryTables& memory = {},
                                                      std::shared_ptr<const engine::GivenSession> given = {});

// Whether all data is there and has the declared columns, of files and rows in memory by themselves, and of an engine's
// tables by opening a session.
Result<void> check_sources(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                           const engine::MemoryTables& memory = {});

// The engine that an address begins the name of, with all else as it usually is: postgresql://...
Result<query::Engine> engine_at(const std::string& address);

// All tables of a catalog, the public ones behind the others.
std::vector<query::Table> all_tables(const query::Catalog& catalog);

}  // namespace vernier::study
