#include <algorithm>
#include <filesystem>
#include <system_error>

#include <nlohmann/json.hpp>

#include "cli/texts.hpp"
#include "server/worker/answers.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/query/series.hpp"

// Catalogs below the root, and the studies that lie beside them.
namespace vernier::server {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 3;
constexpr std::size_t most_files = 500;

Failure no_catalog() {
  return invalid("there is no such catalog below the root of this server",
                 "name one of those that GET /api/v1/catalogs lists");
}

// Texts of TOML files below a folder, by name; what cannot be read is passed over.
std::vector<fs::path> files_below(const fs::path& folder, int depth) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end && found.size() < most_files; entry.increment(error)) {
    std::error_code unknown;
    if (entry.depth() >= depth) entry.disable_recursion_pending();
    if (entry->is_regular_file(unknown) && entry->path().extension() == ".toml") found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_study(const study::Text& text) {
  if (query::has_series(text.text))
    return query::examine_series_text(text.path, text.text, query::CatalogOf::runner).content.has_value();
  return query::examine_study_text(text.path, text.text, query::CatalogOf::runner).content.has_value();
}

// For others than stewards: neither where anything lies, nor what others may spend.
std::string without_office(const std::string& declared, const std::string& name) {
  using Json = nlohmann::ordered_json;
  Json told = Json::parse(declared);
  if (told.contains("tables")) {
    for (Json& table : told["tables"]) table.erase("source");
  }
  if (!told.contains("budget")) return told.dump();
  Json& budget = told["budget"];
  budget.erase("ledger");
  budget.erase("witness");
  Json own = Json::array();
  for (const Json& share : budget.value("shares", Json::array())) {
    if (share.value("analyst", "") == name) own.push_back(share);
  }
  budget["shares"] = own;
  return told.dump();
}

}  // namespace

// Also one with mistakes; but no file of tokens, no study, and nothing else that happens to lie below the root.
bool is_catalog(const study::Text& text) {
  const auto has = [&](const char* word) { return text.text.find(word) != std::string::npos; };
  return (has("[budget]") && has("[tables.")) || study::examine(text).content.has_value();
}

bool is_plain_name(const fs::path& name) {
  if (name.empty() || name.is_absolute()) return false;
  return std::none_of(name.begin(), name.end(),
                      [](const fs::path& part) { return part == ".." || part == "." || part.empty(); });
}

Result<study::Text> catalog_text(const Ask& ask, const std::string& name) {
  if (!is_plain_name(name) || fs::path(name).extension() != ".toml") return no_catalog();
  const Result<fs::path> path = study::counted_catalog(ask.root / name, {.only = {}, .folders = {ask.root}});
  if (!path) return no_catalog();
  Result<study::Text> text = study::read_text(*path);
  if (!text || !is_catalog(*text)) return no_catalog();
  return text;
}

Result<study::Catalog> catalog_named(const Ask& ask, const std::string& name) {
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  return study::Catalog::of(text, {.only = {}, .folders = {ask.root}});
}

Result<Told> answer_catalogs(const Ask& ask) {
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("catalogs");
  json.begin_array();
  for (const fs::path& file : files_below(ask.root, deepest)) {
    const std::string name = file.lexically_relative(ask.root).string();
    const Result<study::Text> text = catalog_text(ask, name);
    if (!text) continue;
    json.begin_object();
    json.member("name", std::string_view(name));
    json.key("holds");
    json.boolean(study::examine(*text).content.has_value());
    json.end_object();
  }
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

// {"catalog": what `catalog check --json` prints, "studies": [{"name", "text"}]}
Result<Told> answer_catalog(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const study::Text text, catalog_text(ask, name));
  std::string declared = cli::catalog_json(text);
  while (!declared.empty() && declared.back() == '\n') declared.pop_back();
  if (!ask.is_steward) declared = without_office(declared, ask.name);
  std::string studies;
  JsonWriter json(studies);
  json.begin_array();
  for (const fs::path& file : files_below(text.path.parent_path(), 0)) {
    const Result<study::Text> one = study::read_text(file);
    if (!one || !is_study(*one)) continue;
    json.begin_object();
    json.member("name", std::string_view(file.stem().string()));
    json.member("text", std::string_view(one->text));
    json.end_object();
  }
  json.end_array();
  std::string whole = "{\"catalog\":" + declared + ",\"studies\":" + studies;
  if (ask.is_steward) {
    VERNIER_TRY(const std::string hash, sha256(text.text));
    whole += ",\"hash\":\"" + hash + "\",\"text\":";
    JsonWriter(whole).value(std::string_view(text.text));
  }
  return Told{200, "application/json", whole + "}\n"};
}

}  // namespace vernier::server
