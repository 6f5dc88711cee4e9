#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/yaml_document.hpp"
#include "vernier/query/value.hpp"

// The metadata that SmartNoise SQL takes for a database: collection, schemas, tables, columns. What is read here is
// what its own loader reads (docs.smartnoise.org/sql/metadata.html), strictly.
namespace vernier::cli {

// What a person has to see to: `is_open` where the catalog waits for an answer, else what SmartNoise has and a catalog
// has not, or has otherwise.
struct ImportNote {
  std::uint32_t line;
  bool is_open;
  std::string sentence;
};

struct ImportedColumn {
  std::string name;
  std::optional<query::Type> type;  // none: to be chosen
  std::string bounds;               // as the catalog writes them: "lower = 0, upper = 100"; empty: none
};

struct ImportedTable {
  std::string name;
  std::string told_name;            // schema and table, as SmartNoise has them
  std::optional<std::string> unit;  // a column, or "row"; none: to be chosen
  std::vector<ImportedColumn> columns;
};

struct ImportedCatalog {
  std::vector<ImportedTable> tables;
  std::vector<ImportNote> notes;  // in the order of the file
};

// The problem where the file is no such metadata.
tl::expected<ImportedCatalog, query::Problem> read_smartnoise(std::string_view text);

// The catalog in TOML, with everything that is open in its remarks; `file` is where it came from.
std::string catalog_text(const ImportedCatalog& catalog, const std::string& file);

}  // namespace vernier::cli
