#include "cli/ledger/verify.hpp"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "cli/ledger/amounts.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/study/ledger_reading.hpp"
#include "cli/study/published_release.hpp"
#include "text/numbers.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

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

Result<std::vector<PublishedRelease>> releases_in(const Arguments& arguments) {
  std::vector<PublishedRelease> releases;
  if (!arguments.has("--release")) return releases;
  for (const std::string& file : arguments.all("--release")) {
    VERNIER_TRY(PublishedRelease published, read_published(file));
    releases.push_back(std::move(published));
  }
  return releases;
}

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

std::string counted(std::int64_t count, const char* one, const char* many) {
  return fmt::format("{} {}", text::grouped(count), count == 1 ? one : many);
}

std::string witness_text(const LedgerReading& reading) {
  if (!reading.witness) return "none";
  const auto& memory = reading.witness->memory;
  return memory ? "entry " + text::grouped(memory->position.index) : "has seen nothing yet";
}

void write_report(Output& output, const LedgerReading& reading, const Checks& checks) {
  if (!reading.book) {
    return output.write(fmt::format("the ledger {} does not exist yet: nothing was spent\n", one_line(reading.name)));
  }
  const CostText text(reading.rules.quanta);
  const ledger::Cost spent = reading.balance().most - reading.balance().left;
  std::vector<Line> lines = {
      {"its rules", "in place", "no gap, no change, never below zero: as it was made with"},
      {"entries", text::grouped(reading.book->position().index), "each hash follows from the one before"},
      {"spends", text::grouped(reading.summary.all().releases),
       fmt::format("epsilon {}, delta {}, within budget and shares", text.epsilon.up(spent.epsilon),
                   text.delta.up(spent.delta))},
      {"tally", "equal", "what the ledger says is left is what its entries leave"},
      {"answers", text::grouped(reading.summary.answered()),
       counted(checks.documents, "document is as it was stored", "documents are as they were stored")},
      {"unanswered", text::grouped(static_cast<std::int64_t>(reading.summary.unanswered().size())),
       "paid for; they may still run, or failed"},
      {"witness", witness_text(reading),
       reading.witness ? one_line(reading.witness->path.string())
                       : "as the catalog asks: an older copy of the ledger goes unnoticed"}};
  if (!checks.published.empty()) {
    lines.push_back({"published", text::grouped(static_cast<std::int64_t>(checks.published.size())),
                     checks.published.size() == 1 ? "release stands in the ledger as it says"
                                                  : "releases stand in the ledger as they say"});
  }
  output.write(fmt::format("the ledger {}\n\n", one_line(reading.name)));
  write_lines(output, lines);
  output.write(fmt::format("\nthe ledger holds; its head is {}\n", reading.book->position().head));
}

void write_json(Output& output, const LedgerReading& reading, const Checks& checks) {
  JsonWriter json(output);
  json.begin_object();
  json.member("ledger", std::string_view(reading.name));
  json.key("exists");
  json.boolean(reading.book.has_value());
  json.key("holds");
  json.boolean(true);
  json.member("entries", reading.book ? reading.book->position().index : std::int64_t{0});
  json.member("head", std::string_view(reading.book ? reading.book->position().head : ""));
  json.member("spends", reading.summary.all().releases);
  json.member("answers", reading.summary.answered());
  json.member("documents", checks.documents);
  json.member("unanswered", static_cast<std::int64_t>(reading.summary.unanswered().size()));
  const bool is_seen = reading.witness && reading.witness->memory;
  json.member("witness", is_seen ? reading.witness->memory->position.index : std::int64_t{0});
  json.member("published", static_cast<std::int64_t>(checks.published.size()));
  json.end_object();
  output.write("\n");
}

}  // namespace

Result<void> write_ledger_verify(Output& output, const LocatedText& catalog, std::vector<PublishedRelease> releases,
                                 bool as_json, const Progress& progress) {
  Checks checks = checks_for(std::move(releases));
  const Progress first_half = [&](double done) { return progress(done / 2); };
  VERNIER_TRY(const LedgerReading reading,
              read_ledger(catalog, first_half, [&](const Entry& entry) { return see(checks, entry); }));
  const Result<void> checked =
      check_reach(reading, checks).and_then([&] { return check_stored_documents(reading, checks, progress); });
  if (!checked) return checked;
  as_json ? write_json(output, reading, checks) : write_report(output, reading, checks);
  return {};
}

Result<void> run_ledger_verify(const Arguments& arguments, Output& output) {
  VERNIER_TRY(std::vector<PublishedRelease> releases, releases_in(arguments));
  VERNIER_TRY(const LocatedText catalog, located_text(arguments.object));
  ProgressBar bar(stderr, "replaying");
  return write_ledger_verify(output, catalog, std::move(releases), arguments.has("--json"), bar.shown());
}

}  // namespace vernier::cli
