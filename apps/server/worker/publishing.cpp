#include <algorithm>
#include <filesystem>
#include <system_error>

#include "server/worker/answers.hpp"
#include "server/worker/stored.hpp"
#include "vernier/core/json_writer.hpp"
#include "vernier/study/files.hpp"

// Releases that a steward has published: a mark for each below the root, with the name of its catalog. The documents
// stay where they are, in the ledger.
namespace vernier::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_published = 500, most_mark_bytes = 4096;

Told not_there() { return told_error(404, {ErrorKind::invalid, "there is no such release, or it is not published"}); }

fs::path folder_of(const Ask& ask) { return ask.root / ".published"; }

// 32 digits, and of a step of series a point and its number.
bool is_release(const std::string& id) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_hex = [&](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); };
  const std::string_view number = std::string_view(id).substr(std::min<std::size_t>(id.size(), 32));
  const bool is_step = number.size() >= 2 && number.size() <= 6 && number[0] == '.' &&
                       std::all_of(number.begin() + 1, number.end(), is_digit);
  return id.size() >= 32 && std::all_of(id.begin(), id.begin() + 32, is_hex) && (number.empty() || is_step);
}

// The release that a mark names, with its documents; none where there is no mark, or nothing behind it.
struct Published {
  std::string catalog;
  Stored stored;
};
std::optional<Published> published(const Ask& ask, const std::string& release) {
  if (!is_release(release)) return std::nullopt;
  const Result<std::string> catalog_name = study::read_file((folder_of(ask) / release).string(), most_mark_bytes);
  if (!catalog_name) return std::nullopt;
  const Result<study::Catalog> catalog = catalog_named(ask, *catalog_name);
  if (!catalog) return std::nullopt;
  Result<std::optional<Stored>> stored = stored_by(*catalog, false, release);
  if (!stored || !*stored || !(*stored)->is_answered) return std::nullopt;
  return Published{*catalog_name, **std::move(stored)};
}

std::vector<std::string> marks_in(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    if (is_release(entry->path().filename().string())) found.push_back(entry->path().filename().string());
  }
  std::sort(found.begin(), found.end());
  found.resize(std::min(found.size(), most_published));
  return found;
}

void write_published(JsonWriter& json, const std::string& release, const Published& one) {
  json.begin_object();
  json.member("release", std::string_view(release));
  json.member("catalog", std::string_view(one.catalog));
  json.member("study", std::string_view(one.stored.reserve.study));
  json.member("time", one.stored.reserve.time);
  json.key("documents");
  json.begin_array();
  for (const ledger::Document& document : one.stored.documents) json.value(std::string_view(document.name));
  json.end_array();
  json.end_object();
}

Result<void> write_mark(const fs::path& folder, const std::string& release, const std::string& catalog) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (fs::exists(folder / release, error)) return {};
  return study::write_file((folder / release).string(), catalog);
}

}  // namespace

Result<Told> answer_publish(const Ask& ask) {
  VERNIER_TRY(const std::string release, ask.parameter_of("release"));
  VERNIER_TRY(const std::string name, ask.text("catalog"));
  VERNIER_TRY(const study::Catalog catalog, catalog_named(ask, name));
  if (!is_release(release)) return not_there();
  VERNIER_TRY(const std::optional<Stored> stored, stored_by(catalog, false, release));
  if (!stored || !stored->is_answered) return not_there();
  VERNIER_TRY(write_mark(folder_of(ask), release, name));
  return Told{200, "application/json", "{\"published\":true}\n"};
}

Result<Told> answer_unpublish(const Ask& ask) {
  VERNIER_TRY(const std::string release, ask.parameter_of("release"));
  std::error_code error;
  if (!is_release(release) || !fs::remove(folder_of(ask) / release, error)) return not_there();
  return Told{200, "application/json", "{\"published\":false}\n"};
}

Result<Told> answer_published(const Ask& ask) {
  Told told;
  JsonWriter json(told.body);
  json.begin_object();
  json.key("published");
  json.begin_array();
  for (const std::string& release : marks_in(folder_of(ask))) {
    if (const auto one = published(ask, release)) write_published(json, release, *one);
  }
  json.end_array();
  json.end_object();
  told.body += "\n";
  return told;
}

Result<Told> answer_published_document(const Ask& ask) {
  VERNIER_TRY(const std::string release, ask.parameter_of("release"));
  VERNIER_TRY(const std::string document, ask.parameter_of("document"));
  const auto one = published(ask, release);
  if (!one) return not_there();
  const ledger::Document* const found = ledger::document_named(one->stored.documents, document);
  if (found == nullptr) return not_there();
  return Told{200, type_of_document(document), found->content};
}

}  // namespace vernier::server
