#include "cli/study/counted_catalog.hpp"

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include <fmt/format.h>

namespace vernier::cli {
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

}  // namespace

Result<CatalogRule> installed_rule() {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return CatalogRule{};
  if (fs::path(value).is_absolute()) return CatalogRule{{}, {value}};
  return invalid(
      fmt::format("{} must be the whole path of a folder, beginning with /, but it is '{}'", variable, value));
}

Result<CatalogRule> catalog_rule(const Arguments& arguments) {
  return installed_rule().map([&](CatalogRule rule) {
    if (arguments.has("--catalogs")) rule.folders.emplace_back(arguments.one("--catalogs"));
    if (arguments.has("--catalog")) rule.only = arguments.one("--catalog");
    return rule;
  });
}

Result<fs::path> counted_catalog(const fs::path& named, const CatalogRule& rule) {
  if (rule.folders.empty()) return named;
  const Result<fs::path> file = behind_links(named, "catalog");
  if (!file) return file;
  for (const fs::path& one : rule.folders) {
    const Result<fs::path> folder = behind_links(one, "folder of catalogs");
    if (!folder) return folder;
    if (!is_inside(*file, *folder)) return lies_outside(named, one);
  }
  return file;
}

Result<fs::path> catalog_for(const fs::path& study, const fs::path& named, const CatalogRule& rule) {
  if (rule.only && !named.empty() && !is_same_file(named, *rule.only)) {
    return invalid(
        fmt::format("the study '{}' names the catalog '{}', but only '{}' counts; take that line out of the study",
                    study.string(), named.string(), rule.only->string()));
  }
  return counted_catalog(rule.only.value_or(named), rule);
}

std::vector<Option> with_catalogs(std::vector<Option> options) {
  options.push_back({"--catalogs", Takes::one_value, "DIR",
                     "only a catalog inside of this folder counts, links followed; likewise VERNIER_CATALOGS"});
  return options;
}

std::vector<Option> with_study_catalog(std::vector<Option> options) {
  options.push_back(
      {"--catalog", Takes::one_value, "FILE", "the only catalog that counts: the study names this one, or none"});
  return with_catalogs(std::move(options));
}

}  // namespace vernier::cli
