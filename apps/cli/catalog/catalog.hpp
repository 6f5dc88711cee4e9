#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/engine/sql/connection.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"

namespace vernier::cli {

// Prints what a catalog declares. Where something is wrong, prints every problem on a line of its own and fails.
Result<void> run_catalog_check(const Arguments& arguments, Output& output);

// Writes a catalog to fill in; a file that is there is never replaced.
Result<void> run_catalog_new(const Arguments& arguments, Output& output);

// Opens a table again that was closed because the engine failed on it.
Result<void> run_catalog_reopen(const Arguments& arguments, Output& output);

// How the cells of the data fit what the catalog declares: `vernier catalog check --data`, for the steward alone.
Result<void> write_fit(const query::Catalog& catalog, Output& output, bool as_json);

// What the catalog declares, or its problems, as one object.
void write_json(Output& output, const std::string& path, const query::Reading<query::Catalog>& reading,
                const vernier::Spelling& spelling = plain_spelling);

// What the catalog declares, for a person: the budget, and of each table its unit and its columns.
void write_report(Output& output, const query::Catalog& catalog);

// The least and the greatest value of a bounded number or date; none of anything else.
std::optional<query::Range> told_range(const query::Expression& x);

// Where the ledger lies, as the catalog says it; of an address never the password.
std::string told_ledger(const query::Budget& budget);

// What is known of a data file before a steward has declared anything.
struct Skeleton {
  std::string table;
  std::string source;  // from the catalog's folder on
  char delimiter = ',';
  std::vector<std::string> columns;
  std::optional<query::Engine> engine = {};  // that has the table of this name
  std::vector<std::string> types = {};       // of its columns, where they are known; empty where no type holds one
  std::set<std::string> nested = {};         // columns of JSON that are lists or objects in the first line
  std::size_t files = 1;                     // of which the first one named the columns
  std::vector<std::string> left_out = {};    // columns that a catalog cannot name, a sentence for each
};

// Of a data file, or of those of a pattern: nothing is read but the names of the columns of the first one. The source
// is told from the catalog's folder on.
Result<Skeleton> skeleton_of_file(const std::filesystem::path& data, const std::filesystem::path& catalog);

// Of a table of an engine: names and types of its columns, no row.
Result<Skeleton> skeleton_of_table(const query::Source& source, const query::Engine& engine,
                                   engine::Connection& connection);

// A catalog with every type, every bound, the unit and the budget left to fill in, and each choice explained.
std::string skeleton_text(const Skeleton& skeleton);

// Text and keys as TOML writes them: "a \"b\"", and bare where a key can be.
std::string toml_text(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace vernier::cli
