#include "vernier/release/catalog_marks.hpp"

#include "vernier/core/hash.hpp"
#include "vernier/query/problem.hpp"
#include "vernier/release/catalog_ledger.hpp"

namespace vernier::release {
namespace {

namespace fs = std::filesystem;

// The folder of the witness; that of the catalog where the steward does without one.
fs::path witness_folder(const query::Catalog& catalog) {
  const ledger::WitnessPlace witness = witness_of(catalog);
  if (witness.is_nowhere()) return query::beside(catalog.path, ".");
  return witness.file.empty() ? witness.folder : witness.file.parent_path();
}

fs::path folder_of(const query::Catalog& catalog) {
  const std::string& ledger = catalog.budget.ledger;
  const bool is_address = ledger.find("://") != std::string::npos;
  if (!is_address) return query::beside(catalog.path, ledger).string() + ".tables";
  return witness_folder(catalog) / ("tables-" + sha256(ledger_name(catalog)).value_or("").substr(0, 16));
}

}  // namespace

TableMarks marks_of(const query::Catalog& catalog) {
  return {folder_of(catalog), "vernier catalog reopen " + catalog.path.string() + " --table "};
}

}  // namespace vernier::release
