#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "vernier/core/result.hpp"
#include "vernier/query/catalog.hpp"
#include "vernier/query/expression/expression.hpp"

namespace vernier::cli {

// Prints what a catalog declares. Where something is wrong, prints every problem on a line of its own and fails.
Result<void> run_catalog_check(const Arguments& arguments, Output& output);

// Writes a catalog to fill in; a file that is there is never replaced.
Result<void> run_catalog_new(const Arguments& arguments, Output& output);

// Opens a table again that was closed because the engine failed on it.
Result<void> run_catalog_reopen(const Arguments& arguments, Output& output);

// What the catalog declares, or its problems, as one object.
void write_json(Output& output, const std::string& path, const query::Reading<query::Catalog>& reading);

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
};

// A catalog with every type, every bound, the unit and the budget left to fill in, and each choice explained.
std::string skeleton_text(const Skeleton& skeleton);

// Text and keys as TOML writes them: "a \"b\"", and bare where a key can be.
std::string toml_text(std::string_view text);
std::string toml_key(std::string_view key);

}  // namespace vernier::cli
