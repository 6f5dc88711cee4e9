#include <fmt/format.h>

#include "cli/catalog_skeleton.hpp"
#include "cli/smartnoise.hpp"

namespace vernier::cli {
namespace {

// A remark must stay in its line.
std::string remarks(const ImportedCatalog& catalog, bool are_open) {
  std::string text;
  for (const ImportNote& note : catalog.notes) {
    if (note.is_open == are_open) text += fmt::format("#   line {}: {}\n", note.line, note.sentence);
  }
  return text;
}

std::string column_text(const ImportedColumn& column) {
  if (!column.type) return fmt::format("{} = {{}}\n", toml_key(column.name));
  return fmt::format("{} = {{ type = \"{}\"{}{} }}\n", toml_key(column.name), query::name_of(*column.type),
                     column.bounds.empty() ? "" : ", ", column.bounds);
}

std::string table_text(const ImportedTable& table) {
  const std::string key = toml_key(table.name);
  std::string text = fmt::format("\n[tables.{}]\n# source = \"...\"      # open: the file that holds it\n", key);
  text += table.unit ? fmt::format("unit = {}\n", toml_text(*table.unit))
                     : "# unit = \"...\"        # open: the column that says whose row it is, or \"row\"\n";
  text += fmt::format("\n[tables.{}.columns]\n", key);
  for (const ImportedColumn& column : table.columns) text += column_text(column);
  return text;
}

}  // namespace

std::string catalog_text(const ImportedCatalog& catalog, const std::string& file) {
  std::string text = fmt::format(
      "# Written from SmartNoise's metadata in {}.\n"
      "# Open, to be filled in; then run: vernier catalog check FILE\n"
      "#   epsilon, which SmartNoise takes from each program, is the total of this catalog for ever\n{}"
      "# What SmartNoise has and a catalog has not, or has otherwise:\n{}"
      "# Bounds and keys are public: they must not come from a look at the data.\n\n"
      "[budget]\n# epsilon = 1.0         # open: the total; a smaller one protects more\n"
      "# delta = 1e-6          # private keys need one\n",
      toml_text(file), remarks(catalog, true), remarks(catalog, false));
  for (const ImportedTable& table : catalog.tables) text += table_text(table);
  return text;
}

}  // namespace vernier::cli
