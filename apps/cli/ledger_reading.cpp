#include "cli/ledger_reading.hpp"

#include <cstdio>

#include "cli/progress_bar.hpp"
#include "vernier/release/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;
using ledger::Transaction;

// How many entries there will be; at least 1.
Result<std::int64_t> entries_in(ledger::Store& store) {
  const Result<std::unique_ptr<Transaction>> transaction = store.begin(ledger::Access::read);
  if (!transaction) return Failure(transaction.error());
  return (*transaction)->tally().map([](const std::optional<ledger::Tally>& tally) {
    return tally && tally->position.index > 0 ? tally->position.index : std::int64_t{1};
  });
}

Result<WitnessReading> witness_at(const std::filesystem::path& path) {
  return ledger::Witness::open(path).map([&](const ledger::Witness& found) {
    return WitnessReading{path, found.memory()};
  });
}

Result<void> replay_into(LedgerReading& reading, ledger::Store& store, const Transaction::Visit& visit) {
  const Result<std::int64_t> entries = entries_in(store);
  if (!entries) return Failure(entries.error());
  ProgressBar bar(stderr, "replaying");
  const auto see = [&](const Entry& entry) -> Result<void> {
    bar.show(static_cast<double>(entry.index) / static_cast<double>(*entries));
    reading.summary.take(entry);
    return visit ? visit(entry) : Result<void>();
  };
  const ledger::WitnessPlace place = release::witness_of(reading.catalog);
  Result<std::optional<ledger::Book>> book = ledger::look(store, reading.rules.terms, place, see);
  if (!book) return Failure(book.error());
  reading.book = *std::move(book);
  if (!reading.book || place.is_nowhere()) return {};
  return witness_at(place.of(reading.book->id())).map([&](WitnessReading found) {
    reading.witness = std::move(found);
  });
}

// A witness in a file of its own knows whether there was a ledger.
Result<LedgerReading> without_a_ledger(LedgerReading reading) {
  const Result<void> seen = ledger::Watch(release::witness_of(reading.catalog)).finish(std::nullopt);
  if (seen) return reading;
  return fail(ErrorKind::system, ledger::does_not_hold(reading.name, seen.error()).sentence);
}

}  // namespace

ledger::Balance LedgerReading::balance() const {
  return book ? book->balance() : ledger::Balance{rules.quanta.budget(), false, rules.quanta.budget()};
}

Result<LedgerReading> read_ledger(const std::string& path, const Transaction::Visit& visit) {
  Result<query::Catalog> catalog = query::read_catalog(path);
  if (!catalog) return Failure(catalog.error());
  Result<ledger::Rules> rules = ledger::rules_of(release::terms_of(*catalog));
  if (!rules) return Failure(rules.error());
  const std::string name = release::ledger_name(*catalog);
  LedgerReading reading{.catalog = *std::move(catalog), .name = name, .rules = *std::move(rules)};
  const Result<std::unique_ptr<ledger::Store>> store = release::open_store(reading.catalog, ledger::Missing::is_none);
  if (!store) return Failure(store.error());
  if (!*store) return without_a_ledger(std::move(reading));
  // What a ledger or its witness says is no matter of usage.
  return replay_into(reading, **store, visit).map([&] { return std::move(reading); }).map_error([](Error error) {
    return Error{ErrorKind::system, std::move(error.sentence)};
  });
}

}  // namespace vernier::cli
