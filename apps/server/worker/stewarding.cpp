#include <algorithm>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "cli/catalog/catalog.hpp"
#include "cli/texts.hpp"
#include "server/worker/answers.hpp"
#include "vernier/core/hash.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/query/source_files.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/ledger.hpp"

// What a steward does: begins a catalog from the header of a data file, has it checked, and writes it.
namespace vernier::server {
namespace {

namespace fs = std::filesystem;

constexpr int deepest = 3;
constexpr std::size_t most_files = 500;

bool is_data(const fs::path& file) {
  const std::string name = file.filename().string();
  for (const char* const end : {".csv", ".tsv", ".parquet", ".csv.gz", ".csv.zst", ".tsv.gz", ".tsv.zst"}) {
    const std::string_view ending(end);
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0)
      return true;
  }
  return false;
}

bool is_below(const fs::path& root, const fs::path& place) {
  const fs::path within = place.lexically_relative(root);
  return !within.empty() && *within.begin() != "..";
}

// A file of data, behind all links: of what lies elsewhere not even the names of its columns are told.
bool is_data_below(const fs::path& root, const fs::path& file) {
  std::error_code error;
  const fs::path real = fs::canonical(file, error);
  return !error && fs::is_regular_file(real, error) && is_below(root, real);
}

// The folder of a name, behind all links; it must be below the root.
Result<fs::path> place_below(const Ask& ask, const std::string& name) {
  const Failure no = invalid("the name", "must be one below the root of this server", "");
  if (!is_plain_name(name)) return no;
  std::error_code error;
  const fs::path folder = fs::canonical((ask.root / name).parent_path(), error);
  if (error || !is_below(ask.root, folder)) return no;
  return folder / fs::path(name).filename();
}

Told conflict(const Error& error) { return told_error(409, error); }

// Of the catalog that is there; of a file of another kind nothing is told.
Result<std::string> hash_of(const fs::path& file) {
  std::error_code unknown;
  if (!fs::exists(fs::symlink_status(file, unknown))) return std::string();
  VERNIER_TRY(const study::Text text, study::read_text(file));
  if (is_catalog(text)) return sha256(text.text);
  return invalid("the name", "is that of a file that is no catalog", "choose another");
}

// A budget that was spent from stays what it is: neither its terms nor the place of its ledger can be changed.
Result<void> check_ledger(const study::Text& next, const query::Catalog& content) {
  std::error_code unknown;
  if (fs::exists(next.path, unknown)) {
    const auto before = study::read_text(next.path).map([](const study::Text& text) { return study::examine(text); });
    if (before && before->content && release::ledger_name(*before->content) != release::ledger_name(content)) {
      const auto book = release::read_book(*before->content);
      if (!book || *book) {
        return invalid("the ledger", "was spent from and cannot be exchanged for another one",
                       "leave budget.ledger as it was");
      }
    }
  }
  return study::ledger_show(next, {}, nobody_watches).map([](const auto&) {});
}

std::string real_place(const query::Catalog& catalog, const fs::path& named) {
  const fs::path place = query::beside(catalog.path, named);
  std::error_code error;
  const fs::path real = fs::weakly_canonical(place, error);
  return (error ? place : real).string();
}

// What a catalog names that lies elsewhere than below the root: files of data, its ledger and witness, a server.
std::set<std::string> named_elsewhere(const fs::path& root, const query::Catalog& catalog) {
  std::set<std::string> named;
  for (const auto* const tables : {&catalog.tables, &catalog.public_tables}) {
    for (const query::Table& table : *tables) {
      if (!table.source.is_file()) continue;
      for (const fs::path& part : query::parts_of(table.source.path)) named.insert(real_place(catalog, part));
      const auto files = query::files_of(catalog.path, table.source.path);  // of patterns those that are there now
      for (std::size_t i = 0; files && i < files->size(); ++i) named.insert(real_place(catalog, (*files)[i]));
    }
  }
  named.insert(catalog.budget.ledger.find("://") == std::string::npos ? real_place(catalog, catalog.budget.ledger)
                                                                      : catalog.budget.ledger);
  if (catalog.budget.witness) named.insert(real_place(catalog, *catalog.budget.witness));
  std::erase_if(named, [&](const std::string& place) { return is_below(root, place); });
  if (!catalog.engine.is_embedded()) named.insert(catalog.engine.kind + " " + catalog.engine.address);
  return named;
}

// A token may write catalogs, which are about what lies below the root: what lies elsewhere is named by whoever writes
// files on this machine, since the server reads with that person's rights.
Result<void> check_places(const fs::path& root, const study::Text& next, const query::Catalog& content) {
  std::set<std::string> known;
  if (std::error_code unknown; fs::exists(next.path, unknown)) {
    const auto before = study::read_text(next.path).map([](const study::Text& text) { return study::examine(text); });
    if (before && before->content) known = named_elsewhere(root, *before->content);
  }
  for (const std::string& place : named_elsewhere(root, content)) {
    if (known.contains(place)) continue;
    return invalid(fmt::format("'{}'", place), "does not lie below the root of this server",
                   "name what lies there, or have whoever runs the server write it into the file");
  }
  return {};
}

Result<void> write_over(const fs::path& file, const std::string& text) {
  const fs::path next = file.string() + ".new";
  std::error_code error;
  fs::remove(next, error);
  VERNIER_TRY(study::write_file(next.string(), text));
  fs::rename(next, file, error);
  if (!error) return {};
  return fail(ErrorKind::system, "the catalog cannot be written", "look whether its disk is full");
}

}  // namespace

Result<Told> answer_files(const Ask& ask) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(ask.root, fs::directory_options::skip_permission_denied, error), end;
       !error && entry != end && names.size() < most_files; entry.increment(error)) {
    if (entry.depth() >= deepest) entry.disable_recursion_pending();
    if (is_data(entry->path()) && is_data_below(ask.root, entry->path()))
      names.push_back(entry->path().lexically_relative(ask.root).string());
  }
  std::sort(names.begin(), names.end());
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("files");
  json.begin_array();
  for (const std::string& name : names) json.value(std::string_view(name));
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

// {"text", "table", "source", "columns"}: of the file nothing is read but the names of its columns.
Result<Told> answer_new_catalog(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.text("file"));
  VERNIER_TRY(const fs::path file, place_below(ask, name));
  std::error_code unknown;
  if (fs::exists(file, unknown) && !is_data_below(ask.root, file)) {
    return invalid("the name", "must be one of a file that lies below the root of this server, links followed", "");
  }
  VERNIER_TRY(const cli::Skeleton skeleton, cli::skeleton_of_file(file, file.parent_path() / "catalog.toml"));
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.member("text", std::string_view(cli::skeleton_text(skeleton)));
  json.member("table", std::string_view(skeleton.table));
  json.member("source", std::string_view(skeleton.source));
  json.member("delimiter", std::string_view(&skeleton.delimiter, 1));
  json.key("columns");
  json.begin_array();
  for (const std::string& column : skeleton.columns) json.value(std::string_view(column));
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

Result<Told> answer_check_catalog(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const fs::path place, place_below(ask, name));
  VERNIER_TRY(const std::string text, ask.text("text"));
  return Told{200, "application/json", cli::catalog_json({place, text})};
}

Result<Told> answer_put_catalog(const Ask& ask) {
  VERNIER_TRY(const std::string name, ask.parameter_of("catalog"));
  VERNIER_TRY(const fs::path place, place_below(ask, name));
  VERNIER_TRY(const std::string text, ask.text("text"));
  VERNIER_TRY(const std::string before, ask.text("before"));
  if (place.extension() != ".toml") return invalid("the name of a catalog", "must end in .toml", "");
  VERNIER_TRY(const std::string known, hash_of(place));
  if (known != before) {
    return conflict(
        {ErrorKind::invalid, "has changed since it was read, and was not written", "the catalog", "read it again"});
  }
  const study::Text next{place, text};
  const auto reading = study::examine(next);
  if (!reading.content) return told_error(422, query::problems_in(name, reading.problems));
  if (const Result<void> fits = check_places(ask.root, next, *reading.content); !fits)
    return told_error(422, fits.error());
  if (const Result<void> fits = check_ledger(next, *reading.content); !fits) return conflict(fits.error());
  VERNIER_TRY(write_over(place, text));
  VERNIER_TRY(const std::string hash, sha256(text));
  return Told{200, "application/json", fmt::format("{{\"written\":true,\"hash\":\"{}\"}}\n", hash)};
}

}  // namespace vernier::server
