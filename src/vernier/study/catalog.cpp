#include "vernier/study/catalog.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

#include "vernier/query/duckdb/grouping_sets.hpp"
#include "vernier/query/duckdb/sql.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

constexpr const char* variable = "VERNIER_CATALOGS";

// Name by name, so that /srv/catalogs-of-mine is not inside of /srv/catalogs.
bool is_inside(const fs::path& file, const fs::path& folder) {
  const auto [in_folder, in_file] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return in_folder == folder.end() && in_file != file.end();
}

Result<fs::path> behind_links(const fs::path& path, const char* what) {
  std::error_code error;
  fs::path found = fs::canonical(path, error);
  if (!error) return found;
  return fail(ErrorKind::system, fmt::format("the {} '{}' cannot be found ({}); name one that is there", what,
                                             path.string(), error.message()));
}

Failure lies_outside(const fs::path& named, const fs::path& folder) {
  return invalid(fmt::format(
      "the catalog '{}' is not one of this installation, whose catalogs lie in '{}', links followed; name one "
      "of those, or ask whoever keeps them",
      named.string(), folder.string()));
}

bool is_same_file(const fs::path& one, const fs::path& other) {
  std::error_code ignored;
  return fs::equivalent(one, other, ignored) && !ignored;
}

// The folder of the installation, if it names one, before those of the rule.
Result<std::vector<fs::path>> all_folders(const CatalogRule& rule) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return rule.folders;
  if (!fs::path(value).is_absolute()) {
    return invalid(
        fmt::format("{} must be the whole path of a folder, beginning with /, but it is '{}'", variable, value));
  }
  std::vector<fs::path> folders = {value};
  folders.insert(folders.end(), rule.folders.begin(), rule.folders.end());
  return folders;
}

}  // namespace

Result<Text> read_text(const fs::path& path) {
  return query::read_text_file(path).map([&](std::string text) { return Text{path, std::move(text)}; });
}

Result<fs::path> counted_catalog(const fs::path& named, const CatalogRule& rule) {
  VERNIER_TRY(const std::vector<fs::path> folders, all_folders(rule));
  if (folders.empty()) return named;
  const Result<fs::path> file = behind_links(named, "catalog");
  if (!file) return file;
  for (const fs::path& one : folders) {
    const Result<fs::path> folder = behind_links(one, "folder of catalogs");
    if (!folder) return folder;
    if (!is_inside(*file, *folder)) return lies_outside(named, one);
  }
  return file;
}

Result<void> check_kept_for_stewards(std::string_view what) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  return invalid(fmt::format("{} is for whoever keeps the catalogs, and {} says that others ask here", what, variable),
                 fmt::format("let a steward run it without {}", variable));
}

Result<fs::path> catalog_of(const fs::path& study, const fs::path& named, const CatalogRule& rule) {
  if (rule.only && !named.empty() && !is_same_file(named, *rule.only)) {
    return invalid(
        fmt::format("the study '{}' names the catalog '{}', but only '{}' counts; take that line out of the study",
                    study.string(), named.string(), rule.only->string()));
  }
  return rule.only.value_or(named);
}

query::Reading<query::Catalog> examine(const Text& catalog) {
  return query::with_definitions(query::examine_catalog_text(catalog.path, catalog.text));
}

Result<Catalog> Catalog::from(const Text& counted) {
  query::Reading<query::Catalog> reading = examine(counted);
  if (!reading.content) return Failure(query::problems_in(counted.path, reading.problems));
  return Catalog(*std::move(reading.content), counted.text);
}

Result<Catalog> Catalog::of(const Text& text, const CatalogRule& rule) {
  VERNIER_TRY(const fs::path counted, counted_catalog(text.path, rule));
  return from({counted, text.text});
}

Result<Catalog> Catalog::read(const fs::path& path, const CatalogRule& rule) {
  VERNIER_TRY(const fs::path counted, counted_catalog(path, rule));
  VERNIER_TRY(const Text text, read_text(counted));
  return from(text);
}

Result<query::Query> Catalog::parse(std::string_view sql) const { return query::read_query(sql, content_); }

Result<std::optional<query::TableSet>> Catalog::tables_of(std::string_view sql) const {
  return query::read_grouping_sets(sql, content_);
}

}  // namespace vernier::study
