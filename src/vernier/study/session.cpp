#include "vernier/study/session.hpp"

#include "vernier/engine/duckdb/session.hpp"
#include "vernier/engine/sql/session.hpp"
#include "vernier/query/read/engine.hpp"

namespace vernier::study {

Result<std::unique_ptr<engine::Session>> open_session(const query::Catalog& catalog,
                                                      const std::vector<query::Table>& tables,
                                                      const engine::MemoryTables& memory,
                                                      std::shared_ptr<const engine::GivenSession> given) {
  const query::Engine& named = catalog.engine;
  if (named.is_embedded() && !given) return engine::open_duckdb(catalog, tables, {.portable = named.portable}, memory);
  VERNIER_TRY(std::unique_ptr<engine::Connection> connection,
              given ? engine::connect_given(named, std::move(given)) : engine::connect(named));
  VERNIER_TRY(std::vector<engine::SentTable> sent, engine::read_public_tables(catalog, tables));
  return engine::open_sql_session(*query::dialect_named(named.kind), std::move(connection), tables, std::move(sent),
                                  named.passes);
}

Result<void> check_sources(const query::Catalog& catalog, const std::vector<query::Table>& tables,
                           const engine::MemoryTables& memory) {
  VERNIER_TRY(engine::check_memory(catalog, memory));
  for (const query::Table& table : tables) {
    if (table.source.kind == query::SourceKind::table) continue;
    VERNIER_TRY(engine::check_source(catalog, table, memory));
  }
  return {};
}

Result<query::Engine> engine_at(const std::string& address) {
  if (const auto fault = query::fault_of_address(address)) return invalid("the address of the engine " + *fault);
  query::Engine engine;
  engine.kind = address.starts_with("http") ? "trino" : address.starts_with("sc://") ? "spark" : "postgresql";
  engine.address = address;
  engine.portable = true;
  if (query::dialect_named(engine.kind) != nullptr) return engine;
  return invalid("there is no engine at an address such as this one", "write postgresql://USER@HOST/DATABASE");
}

std::vector<query::Table> all_tables(const query::Catalog& catalog) {
  std::vector<query::Table> tables = catalog.tables;
  tables.insert(tables.end(), catalog.public_tables.begin(), catalog.public_tables.end());
  return tables;
}

}  // namespace vernier::study
