#include "vernier/study/verify.hpp"

#include <algorithm>
#include <map>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "vernier/core/hash.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/record/json_in.hpp"
#include "vernier/study/files.hpp"
#include "vernier/study/table_documents.hpp"

namespace vernier::study {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_document_bytes = std::size_t{1} << 30;

Failure cannot_look(const fs::path& folder, const std::error_code& error) {
  return fail(ErrorKind::system, fmt::format("the folder '{}' cannot be read ({}); look whether you may",
                                             folder.string(), error.message()));
}

// By name: whether it is a file, and not a link or a folder.
Result<std::map<std::string, bool>> entries_of(const fs::path& folder) {
  std::map<std::string, bool> entries;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    entries[entry->path().filename().string()] = fs::is_regular_file(entry->symlink_status(unknown));
  }
  if (error) return cannot_look(folder, error);
  return entries;
}

Result<bool> is_unchanged(const fs::path& file, const std::string& hash) {
  return read_file(file.string(), most_document_bytes)
      .and_then([](const std::string& content) { return sha256(content); })
      .map([&](const std::string& found) { return found == hash; });
}

void add(std::string& sentence, const std::vector<std::string>& names, const char* what) {
  for (const std::string& name : names) sentence += fmt::format("{}'{}' {}", sentence.empty() ? "" : "; ", name, what);
}

using json = release::Json;

Failure does_not_hold(const PublishedRelease& published, const std::string& why) {
  return fail(ErrorKind::system, fmt::format("'{}' does not belong to this ledger: {}", published.file, why));
}

Failure no_release(const std::string& file) {
  return invalid(fmt::format("'{}' is no release.json: it names no release and no entry of a ledger", file));
}

bool has_receipt(const json& content) {
  if (!content.is_object() || !content.contains("release") || !content["release"].is_string()) return false;
  if (!content.contains("ledger") || !content["ledger"].is_object()) return false;
  const json& receipt = content["ledger"];
  return receipt.contains("index") && receipt["index"].is_number_integer() && receipt.contains("head") &&
         receipt["head"].is_string();
}

using ledger::Entry;
using ledger::Kind;

// An answer as its entry has it.
struct Settled {
  std::int64_t index;
  std::string release;
  std::string digest;
};

// What the entries must agree with, gathered on the way.
struct Checks {
  std::vector<PublishedRelease> published;
  std::multimap<std::int64_t, const PublishedRelease*> by_index;
  std::vector<Settled> settled;
  std::int64_t documents = 0;
};

Checks checks_for(std::vector<PublishedRelease> releases) {
  Checks checks{.published = std::move(releases), .by_index = {}, .settled = {}};
  for (const PublishedRelease& one : checks.published) checks.by_index.emplace(one.index, &one);
  return checks;
}

Result<void> see(Checks& checks, const Entry& entry) {
  if (entry.kind == Kind::settle) checks.settled.push_back({entry.index, entry.release, entry.content});
  const auto [first, last] = checks.by_index.equal_range(entry.index);
  for (auto published = first; published != last; ++published) {
    if (Result<void> checked = check_entry(*published->second, entry); !checked) return checked;
  }
  return {};
}

Failure broken(const LedgerReading& reading, const std::string& why) {
  return Failure(ledger::does_not_hold(reading.name, {ErrorKind::invalid, why}));
}

Result<void> check_reach(const LedgerReading& reading, const Checks& checks) {
  const std::int64_t last = reading.book ? reading.book->position().index : 0;
  for (const PublishedRelease& published : checks.published) {
    if (published.index >= 1 && published.index <= last) continue;
    return fail(ErrorKind::system,
                fmt::format("'{}' does not belong to this ledger: it names entry {}, and there are {}", published.file,
                            published.index, last));
  }
  if (reading.summary.strays() == 0) return {};
  return broken(reading, "it has answers to releases that nobody paid for");
}

// The entries are the first half of the work, the documents the second.
Result<void> check_documents(ledger::Transaction& transaction, const LedgerReading& reading, Checks& checks,
                             const Progress& progress) {
  double done = 0;
  for (const Settled& settled : checks.settled) {
    const double part = done++ / static_cast<double>(checks.settled.size());
    if (Result<void> on = go_on(progress, (1 + part) / 2); !on) return on;
    VERNIER_TRY(const ledger::Documents documents, transaction.documents(settled.release));
    VERNIER_TRY(const std::string digest, ledger::digest_of(documents));
    if (digest != settled.digest) {
      return broken(reading, fmt::format("the documents of entry {} are not those that were stored", settled.index));
    }
    checks.documents += static_cast<std::int64_t>(documents.size());
  }
  for (const PublishedRelease& published : checks.published) {
    VERNIER_TRY(const ledger::Documents documents, transaction.documents(published.release));
    if (Result<void> checked = check_stored(published, documents); !checked) return checked;
  }
  return {};
}

Result<void> check_stored_documents(const LedgerReading& reading, Checks& checks, const Progress& progress) {
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(reading.catalog, ledger::Missing::is_none));
  if (!store) return {};
  VERNIER_TRY(const std::unique_ptr<ledger::Transaction> transaction, store->begin(ledger::Access::read));
  return check_documents(*transaction, reading, checks, progress);
}

}  // namespace

namespace {

// The files of tables that are not what their contrasts give; how many there are in all.
Result<std::int64_t> check_table_files(const fs::path& folder, const plan::Plan& plan) {
  std::vector<table::Noisy> contrasts;
  const std::vector<std::string> files = contrast_files(plan.study);
  for (std::size_t i = 0; i < files.size(); ++i) {
    VERNIER_TRY(const std::string text, read_file((folder / files[i]).string(), most_document_bytes));
    Result<table::Noisy> read = read_contrasts(*plan.study.tables[i].lattice, text);
    if (!read) return invalid(about("'" + files[i] + "'", read.error()));
    contrasts.push_back(*std::move(read));
  }
  std::int64_t count = 0;
  VERNIER_TRY(each_table_document(plan, contrasts, [&](const ledger::Document& document) -> Result<void> {
    VERNIER_TRY(const std::string text, read_file((folder / document.name).string(), most_document_bytes));
    if (text != document.content) return invalid("'" + document.name + "' is not what the noisy contrasts give");
    ++count;
    return {};
  }));
  return count;
}

void add_table_files(release::Verdict& verdict, const fs::path& folder) {
  const plan::Plan& plan = verdict.record->plan;
  if (plan.tables.empty()) return;
  const Result<std::int64_t> files = check_table_files(folder, plan);
  if (!files) return void(verdict.first_problem = "cells: " + files.error().sentence());
  verdict.checks.push_back({"cells", "files of tables recomputed from the noisy contrasts, cell by cell", *files});
}

}  // namespace

std::string FolderFaults::sentence() const {
  std::string all;
  add(all, missing, "is missing");
  add(all, changed, "is not as it was published");
  add(all, foreign, "is not of this release");
  return all;
}

Result<FolderFaults> faults_of(const fs::path& folder, const std::vector<release::DocumentHash>& documents) {
  VERNIER_TRY(auto entries, entries_of(folder));
  FolderFaults faults;
  entries.erase(std::string(release::record_name));
  for (const release::DocumentHash& document : documents) {
    const auto entry = entries.find(document.name);
    if (entry == entries.end()) {
      faults.missing.push_back(document.name);
      continue;
    }
    VERNIER_TRY(const bool same, entry->second ? is_unchanged(folder / document.name, document.sha256) : false);
    if (!same) faults.changed.push_back(document.name);
    entries.erase(entry);
  }
  for (const auto& [name, is_file] : entries) faults.foreign.push_back(name);
  return faults;
}

Result<release::Verdict> verify_folder(const fs::path& folder, const std::optional<release::PublicKey>& expected) {
  VERNIER_TRY(const std::string text, read_file((folder / release::record_name).string(), most_record_bytes));
  release::Verdict verdict = release::verify(text, expected);
  if (!verdict.holds()) return verdict;
  VERNIER_TRY(const FolderFaults faults, faults_of(folder, verdict.record->documents));
  if (faults.none()) {
    const auto count = static_cast<std::int64_t>(verdict.record->documents.size());
    add_table_files(verdict, folder);
    if (!verdict.holds()) return verdict;
    verdict.checks.push_back({"documents", "files beside the record are as they were published, and no others", count});
  } else {
    verdict.first_problem = "documents: " + faults.sentence();
  }
  return verdict;
}

Result<PublishedRelease> read_published(const std::string& file) {
  return read_file(file).and_then([&](std::string text) { return published_in(file, std::move(text)); });
}

Result<PublishedRelease> published_in(const std::string& file, std::string text) {
  constexpr int most_depth = 12;
  const Result<json> read = release::parse_strictly(text, most_depth);
  if (!read) return invalid(after(fmt::format("'{}' is no release.json: ", file), read.error()));
  const json& content = *read;
  if (!has_receipt(content)) return no_release(file);
  const json& receipt = content["ledger"];
  return PublishedRelease{file, std::move(text), content["release"].get<std::string>(),
                          receipt["index"].get<std::int64_t>(), receipt["head"].get<std::string>()};
}

Result<void> check_entry(const PublishedRelease& published, const ledger::Entry& entry) {
  if (entry.hash != published.head) {
    return does_not_hold(published, fmt::format("entry {} has another hash than the release says", entry.index));
  }
  if (entry.kind != ledger::Kind::reserve || entry.release != published.release) {
    return does_not_hold(published, fmt::format("entry {} paid for another release", entry.index));
  }
  return {};
}

Result<void> check_stored(const PublishedRelease& published, const ledger::Documents& documents) {
  const ledger::Document* const stored = ledger::document_named(documents, "release.json");
  if (stored == nullptr) return {};
  if (published.content == stored->content) return {};
  return does_not_hold(published, "it is not, byte by byte, what was stored for its release");
}

Result<std::optional<release::PublicKey>> expected_key(const std::optional<std::string>& pem,
                                                       const std::string& subject) {
  if (!pem) return std::nullopt;
  Result<release::PublicKey> key = release::PublicKey::of_pem(*pem);
  if (!key) return invalid(about(subject, key.error()));
  return *std::move(key);
}

Result<release::Verdict> verify(const fs::path& place, const std::optional<release::PublicKey>& expected) {
  std::error_code ignored;
  if (fs::is_directory(place, ignored)) return verify_folder(place, expected);
  VERNIER_TRY(const std::string record, read_file(place.string(), most_record_bytes));
  return release::verify(record, expected);
}

Result<LedgerVerdict> verify_ledger(const Text& catalog, std::vector<PublishedRelease> published,
                                    const Progress& progress) {
  Checks checks = checks_for(std::move(published));
  const Progress first_half = [&](double done) { return progress(done / 2); };
  VERNIER_TRY(LedgerReading reading,
              read_ledger(catalog, first_half, [&](const Entry& entry) { return see(checks, entry); }));
  VERNIER_TRY(check_reach(reading, checks));
  VERNIER_TRY(check_stored_documents(reading, checks, progress));
  return LedgerVerdict{std::move(reading), std::move(checks.published), checks.documents};
}

}  // namespace vernier::study
