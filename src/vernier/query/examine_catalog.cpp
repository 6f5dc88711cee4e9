#include "vernier/query/catalog.hpp"
#include "vernier/query/read_budget.hpp"
#include "vernier/query/read_table.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {
namespace {

Budget read_budget_of(TableReader& reader, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.require("budget", "[budget] and below it epsilon = 1.0");
  const TomlTable* const table = reader.table("budget", "[budget]");
  const TomlTable empty;
  std::vector<Problem> none;
  TableReader budget(table != nullptr ? *table : empty, node != nullptr ? node->place : Place{}, "[budget]",
                     table != nullptr ? problems : none);
  return read_budget(budget);
}

// What one ledger adds up must be about one relation.
void refuse_other_neighbours(const std::vector<Table>& tables, std::vector<Problem>& problems) {
  for (const Table& table : tables) {
    if (table.neighbours == tables.front().neighbours) continue;
    std::string sentence = "the table " + in_quotes(table.name);
    sentence.append(" has neighbours ").append(name_of(table.neighbours));
    sentence.append(" and the table ").append(in_quotes(tables.front().name)).append(" ");
    sentence.append(name_of(tables.front().neighbours));
    problems.push_back(
        {table.place,
         sentence +
             ", which one budget cannot add up; write the same for both, or make two catalogs with a ledger each"});
  }
}

std::vector<Table> read_tables(TableReader& reader, std::vector<Problem>& problems) {
  const TomlNode* const node = reader.require("tables", "[tables.people] and below it source = \"people.csv\"");
  const TomlTable* const entries = reader.table("tables", "[tables.people]");
  if (entries == nullptr) return {};
  if (entries->empty()) reader.refuse(node->place, "no table is declared; write for example [tables.people]");
  refuse_duplicates(*entries, "table", problems);
  std::vector<Table> tables;
  for (const TomlEntry& entry : *entries) tables.push_back(read_table(entry, problems));
  refuse_other_neighbours(tables, problems);
  return tables;
}

}  // namespace

Reading<Catalog> examine_catalog_text(const std::filesystem::path& path, std::string_view text) {
  const auto document = parse_toml(text);
  if (!document) return {std::nullopt, {document.error()}};
  std::vector<Problem> problems;
  TableReader reader(*document, {}, "the catalog", problems);
  Catalog catalog{path, read_budget_of(reader, problems), read_tables(reader, problems)};
  reader.finish();
  return settled(std::move(catalog), std::move(problems));
}

}  // namespace vernier::query
