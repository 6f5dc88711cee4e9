#pragma once

#include <map>
#include <memory>
#include <string>

#include "vernier/engine/arrow_table.hpp"
#include "vernier/query/catalog.hpp"

namespace vernier::engine {

// The rows of tables that a catalog declares with format = "arrow", by the name of the table, whatever its
// case.
using MemoryTables = std::map<std::string, std::shared_ptr<const ArrowTable>, std::less<>>;

// That all rows that are given belong to a table that is declared so.
Result<void> check_memory(const query::Catalog& catalog, const MemoryTables& memory);

// The rows of a table that is declared so.
Result<std::shared_ptr<const ArrowTable>> rows_of(const query::Table& table, const MemoryTables& memory);

}  // namespace vernier::engine
