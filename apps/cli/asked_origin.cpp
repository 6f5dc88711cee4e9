#include "cli/asked_origin.hpp"

#include <filesystem>
#include <string>
#include <system_error>

#include "vernier/core/hash.hpp"
#include "vernier/core/netstring.hpp"
#include "vernier/query/problem.hpp"

namespace vernier::cli {
namespace {

namespace fs = std::filesystem;

// Rows that a program has in memory have no place.
std::string place_of(const query::Catalog& catalog, const query::Source& source) {
  if (source.kind == query::SourceKind::arrow) return "";
  const fs::path path = query::beside(catalog.path, source.path);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path : real).string();
}

std::string text_of(const query::Catalog& catalog, const std::vector<query::Table>& tables) {
  std::string text;
  for (const query::Table& table : tables) {
    add_netstring(text, table.name);
    add_netstring(text, query::name_of(table.source.kind));
    add_netstring(text, {&table.source.delimiter, 1});
    add_netstring(text, table.source.quoted ? "quoted" : "plain");
    add_netstring(text, place_of(catalog, table.source));
  }
  return text;
}

}  // namespace

Result<plan::Origin> origin_of(std::string_view catalog_text, const query::Catalog& catalog,
                               const std::vector<query::Table>& tables) {
  VERNIER_TRY(std::string declared, sha256(catalog_text));
  return sha256(text_of(catalog, tables)).map([&](std::string sources) {
    return plan::Origin{std::move(declared), std::move(sources)};
  });
}

}  // namespace vernier::cli
