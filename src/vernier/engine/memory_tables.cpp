#include "vernier/engine/memory_tables.hpp"

#include "vernier/core/names.hpp"
#include "vernier/core/suggestion.hpp"

namespace vernier::engine {
namespace {

std::vector<std::string> names_in_memory(const query::Catalog& catalog) {
  std::vector<std::string> names;
  for (const query::Table& table : catalog.tables) {
    if (table.source.kind == query::SourceKind::arrow) names.push_back(table.name);
  }
  return names;
}

Failure unknown(const query::Catalog& catalog, const std::string& name) {
  return invalid("rows are given for the table '" + name + "', which the catalog does not declare" +
                 suggestion(name, names_in_memory(catalog)) +
                 "; declare it with format = \"arrow\", or leave them out");
}

Failure has_a_file(const query::Table& table) {
  return invalid("rows are given for the table '" + table.name +
                 "', but the catalog says that they stand in the file '" + table.source.path.string() +
                 "'; write format = \"arrow\" instead of its source, or leave them out");
}

}  // namespace

Result<void> check_memory(const query::Catalog& catalog, const MemoryTables& memory) {
  std::map<std::string, std::string> seen;
  for (const auto& [name, rows] : memory) {
    const query::Table* const table = catalog.table(name) != nullptr ? catalog.table(name) : catalog.public_table(name);
    if (table == nullptr) return unknown(catalog, name);
    if (table->source.kind != query::SourceKind::arrow) return has_a_file(*table);
    if (!seen.emplace(fold_case(name), name).second)
      return invalid("rows are given twice for the table '" + table->name + "'; give them once");
  }
  return {};
}

Result<std::shared_ptr<const ArrowTable>> rows_of(const query::Table& table, const MemoryTables& memory) {
  for (const auto& [name, rows] : memory) {
    if (rows && fold_case(name) == fold_case(table.name)) return rows;
  }
  return invalid("no rows are given for the table '" + table.name +
                 "', which the catalog declares with format = \"arrow\": the program that has them in memory must "
                 "release, as with the Python package; or write them to a file and name it in `source`");
}

}  // namespace vernier::engine
