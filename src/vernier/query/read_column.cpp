#include "vernier/query/read_column.hpp"

#include "vernier/core/names.hpp"
#include "vernier/query/read_keys.hpp"
#include "vernier/query/read_public_count.hpp"
#include "vernier/query/read_range.hpp"
#include "vernier/query/toml_reader.hpp"

namespace vernier::query {
namespace {

std::optional<Type> read_type(TableReader& reader) {
  if (reader.require("type", "type = \"integer\" (or \"real\", \"string\", \"boolean\", \"date\")") == nullptr) {
    return std::nullopt;
  }
  const auto name = reader.word("type", type_names());
  return name ? type_named(*name) : std::nullopt;
}

// Without a type nothing else can be checked, but the keys are known.
void skip(TableReader& reader) {
  for (const char* const key : {"lower", "upper", "granularity", "keys", "labels", "never_null"}) reader.find(key);
}

}  // namespace

Column read_column(const TomlEntry& entry, std::vector<Problem>& problems) {
  Column column{.name = entry.key, .range = {}, .keys = {}, .labels = {}, .place = entry.place};
  const std::string subject = "the column " + in_quotes(entry.key);
  if (const auto fault = fault_of_name(entry.key)) {
    problems.push_back(
        {entry.place, "a column cannot have this name, since " + *fault + "; rename it in the file and here"});
  }
  const auto* const table = std::get_if<TomlTable>(&entry.node.content);
  if (table == nullptr) {
    problems.push_back({entry.node.place, subject + " must be a table such as { type = \"integer\" }, but it is " +
                                              described(entry.node)});
    return column;
  }
  TableReader reader(*table, entry.place, subject, problems);
  if (const std::optional<Type> type = read_type(reader)) {
    column.type = *type;
    const Grid grid = read_grid(reader, *type);
    column.range = grid.range;
    column.granularity = grid.granularity;
    column.keys = read_keys(reader, *type, column.range);
    column.labels = read_labels(reader, column);
    column.never_null = read_never_null(reader, column);
  } else {
    skip(reader);
  }
  reader.finish();
  return column;
}

}  // namespace vernier::query
