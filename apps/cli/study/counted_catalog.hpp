#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "cli/arguments.hpp"
#include "vernier/core/result.hpp"

// Which catalogs count. An analyst writes the study, and a study names a catalog: with one of their own they would have
// another budget and another ledger over the same data. Whoever runs the program can say which catalog it must be, and
// an installation in which folder it must lie.
namespace vernier::cli {

struct CatalogRule {
  std::optional<std::filesystem::path> only = {};   // --catalog: no study may name another
  std::vector<std::filesystem::path> folders = {};  // --catalogs and VERNIER_CATALOGS: it must lie inside of each
};

// That of the command line and of the environment. An error where VERNIER_CATALOGS is no absolute path: what it means
// may not depend on where the program was started.
Result<CatalogRule> catalog_rule(const Arguments& arguments);
Result<CatalogRule> installed_rule();  // that of the environment alone

// Where to read the catalog. Where folders are given, it is the file behind all links, so that what it names beside
// itself is found in the steward's folder and never beside somebody's link to it; an error where that is not inside of
// them.
Result<std::filesystem::path> counted_catalog(const std::filesystem::path& named, const CatalogRule& rule);

// The catalog of a study that names this one, or none: the only one that counts, if there is one.
Result<std::filesystem::path> catalog_for(const std::filesystem::path& study, const std::filesystem::path& named,
                                          const CatalogRule& rule);

// --catalogs behind others; of what runs a study --catalog, too.
std::vector<Option> with_catalogs(std::vector<Option> options);
std::vector<Option> with_study_catalog(std::vector<Option> options);

}  // namespace vernier::cli
