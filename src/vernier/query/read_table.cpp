#include "vernier/query/read_table.hpp"

#include <algorithm>
#include <map>

#include "vernier/core/names.hpp"
#include "vernier/core/suggestion.hpp"
#include "vernier/query/read_column.hpp"
#include "vernier/query/read_definitions.hpp"
#include "vernier/query/read_source.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {
namespace {

std::vector<Column> read_columns(TableReader& reader, const std::string& table, std::vector<Problem>& problems) {
  const std::string example = "[tables." + table + ".columns]";
  reader.require("columns", example);
  const TomlTable* const entries = reader.table("columns", example);
  if (entries == nullptr) return {};
  if (entries->empty())
    reader.refuse(reader.find("columns")->place,
                  reader.name() + " has no columns; write each as name = { type = \"integer\" }");
  refuse_duplicates(*entries, "column", problems);
  std::vector<Column> columns;
  for (const TomlEntry& entry : *entries) columns.push_back(read_column(entry, problems));
  return columns;
}

// The unit must be one of the columns, to the letter: a mistake here protects the wrong thing.
void check_unit(TableReader& reader, Place place, const std::string& unit, const std::vector<Column>& columns) {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == unit; });
  if (found != columns.end()) {
    if (found->type != Type::real) return;
    return reader.refuse(place, reader.subject("unit") + " is " + in_quotes(unit) +
                                    ", a real number, which is no identity; declare it as integer or string");
  }
  std::vector<std::string> names = {"row"};
  for (const Column& column : columns) names.push_back(column.name);
  reader.refuse(place,
                reader.subject("unit") +
                    " must be one of its columns, or \"row\" where every row is a person of its own, but it is " +
                    in_quotes(unit) + suggestion(unit, names));
}

std::optional<std::string> read_unit(TableReader& reader, const Table& table) {
  const TomlNode* const node =
      reader.require("unit", "unit = \"person_id\", the column that says whose row it is, or unit = \"row\"");
  const auto unit = reader.text("unit", "person_id");
  if (!unit) return std::nullopt;
  if (*unit != "row") {
    check_unit(reader, node->place, *unit, table.columns);
    return unit;
  }
  if (table.column("row") != nullptr) {
    reader.refuse(node->place, reader.subject("unit") +
                                   " is \"row\", which also names a column; rename the column in the file and here");
  }
  return std::nullopt;
}

privacy::Neighbours read_neighbours(TableReader& reader) {
  using privacy::Neighbours;
  const auto name = reader.word("neighbours", {std::string(privacy::name_of(Neighbours::add_remove)),
                                               std::string(privacy::name_of(Neighbours::replace))});
  return name && *name == privacy::name_of(Neighbours::replace) ? Neighbours::replace : Neighbours::add_remove;
}

// What protects has no place where nothing is protected.
void refuse_for_public(TableReader& reader, const char* key) {
  const TomlNode* const node = reader.find(key);
  if (node == nullptr) return;
  reader.refuse(node->place, reader.subject(key) + " is for tables that are protected, and this one is public; leave " +
                                 key + " out, or leave out public = true");
}

std::optional<numeric::Rational> read_sampled(TableReader& reader) {
  auto sampled = reader.number("sampled");
  if (!sampled) return std::nullopt;
  if (*sampled < numeric::Rational::of_decimal("1e-9").value() || *sampled > numeric::Rational::of(1)) {
    const TomlNode& node = *reader.find("sampled");
    reader.refuse(node.place, reader.subject("sampled") +
                                  " must be between 1e-9 and 1, the probability with which each member of the "
                                  "population is in the table, but it is " +
                                  described(node));
  }
  return sampled;
}

// A release names the files of public tables by their hashes.
void refuse_public_memory(TableReader& reader, const Table& table) {
  if (table.source.kind != SourceKind::arrow) return;
  reader.refuse(reader.find("format")->place,
                reader.subject("format") +
                    " is arrow, but a public table is a file, which releases name by its hash; write source = "
                    "\"places.csv\" instead");
}

void read_protection(TableReader& reader, Table& table) {
  table.is_public = reader.boolean("public").value_or(false);
  if (table.is_public) {
    refuse_public_memory(reader, table);
    for (const char* const key : {"unit", "neighbours", "row_limit", "expressions", "sampled"}) refuse_for_public(reader, key);
    return;
  }
  table.unit = read_unit(reader, table);
  table.neighbours = read_neighbours(reader);
  table.row_limit = reader.whole("row_limit", 1, greatest_row_limit).value_or(default_row_limit);
  table.sampled = read_sampled(reader);
}

}  // namespace

void refuse_duplicates(const TomlTable& named, const char* what, std::vector<Problem>& problems) {
  std::map<std::string, const TomlEntry*> seen;
  for (const TomlEntry& entry : named) {
    const auto [first, is_new] = seen.emplace(fold_case(entry.key), &entry);
    if (is_new) continue;
    problems.push_back({entry.place, std::string("the ") + what + " " + in_quotes(entry.key) +
                                         " differs only by case from " + in_quotes(first->second->key) + " in line " +
                                         std::to_string(first->second->place.line) +
                                         ", and engines take them for one; rename one of them"});
  }
}

Table read_table(const TomlEntry& entry, std::vector<Problem>& problems) {
  Table table{.name = entry.key, .source = {}, .unit = {}, .columns = {}, .place = entry.place};
  const std::string subject = "the table " + in_quotes(entry.key);
  if (const auto fault = fault_of_name(entry.key)) {
    problems.push_back({entry.place, "a table cannot have this name, since " + *fault + "; choose another"});
  }
  const auto* const content = std::get_if<TomlTable>(&entry.node.content);
  if (content == nullptr) {
    problems.push_back(
        {entry.node.place, subject + " must be a table such as [tables.people], but it is " + described(entry.node)});
    return table;
  }
  TableReader reader(*content, entry.place, subject, problems);
  table.source = read_source(reader);
  table.columns = read_columns(reader, entry.key, problems);
  read_protection(reader, table);
  if (!table.is_public) table.expressions = read_expressions(reader, table.columns, problems);
  reader.finish();
  return table;
}

}  // namespace vernier::query
