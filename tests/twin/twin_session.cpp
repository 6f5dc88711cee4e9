#include "twin/twin_session.hpp"

#include <stdexcept>

#include <unistd.h>

#include "twin/files.hpp"

namespace vernier::twin {
namespace {

std::filesystem::path fresh_folder() {
  std::string name = (std::filesystem::temp_directory_path() / "vernier_twin_XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for twins");
  return name;
}

}  // namespace

TwinSession::TwinSession(std::uint64_t first, std::size_t count) : folder_(fresh_folder()) {
  engine::MemoryTables memory;
  std::vector<query::Table> tables, public_tables;
  for (std::uint64_t number = first; number < first + count; ++number) {
    DrawnPlan drawn = draw_plan(folder_, number);
    write_source(folder_, drawn.plan.table(), drawn.rows.first, memory);
    write_source(folder_, drawn.plan.twin(), drawn.rows.second, memory);
    tables.push_back(drawn.plan.table());
    tables.push_back(drawn.plan.twin());
    for (const query::Table& joined : drawn.plan.catalog.public_tables) {
      write_source(folder_, joined, drawn.public_rows, memory);
      public_tables.push_back(joined);
    }
    plans_.push_back(std::move(drawn.plan));
  }
  query::Catalog catalog = plans_.front().catalog;
  catalog.tables = tables;
  catalog.public_tables = public_tables;
  tables.insert(tables.end(), public_tables.begin(), public_tables.end());
  Result<std::unique_ptr<engine::Session>> session = engine::open_duckdb(catalog, tables, {.threads = 1}, memory);
  if (!session) throw std::runtime_error(session.error().sentence());
  session_ = *std::move(session);
}

TwinSession::~TwinSession() {
  session_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

Result<engine::RawAggregates> TwinSession::run(const plan::Sql& sql, const engine::Secret& secret) {
  return session_->run(sql, secret, nobody_watches);
}

}  // namespace vernier::twin
