#include "cli/study/ledger_reading.hpp"

#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Entry;
using ledger::Transaction;

// How many entries there will be; at least 1.
Result<std::int64_t> entries_in(ledger::Store& store) {
  VERNIER_TRY(const std::unique_ptr<Transaction> transaction, store.begin(ledger::Access::read));
  return transaction->tally().map([](const std::optional<ledger::Tally>& tally) {
    return tally && tally->position.index > 0 ? tally->position.index : std::int64_t{1};
  });
}

Result<WitnessReading> witness_at(const std::filesystem::path& path) {
  return ledger::Witness::open(path).map([&](const ledger::Witness& found) {
    return WitnessReading{path, found.memory()};
  });
}

Result<void> replay_into(LedgerReading& reading, ledger::Store& store, const Progress& progress,
                         const Transaction::Visit& visit) {
  VERNIER_TRY(const std::int64_t entries, entries_in(store));
  const auto see = [&](const Entry& entry) -> Result<void> {
    const Result<void> on = go_on(progress, static_cast<double>(entry.index) / static_cast<double>(entries));
    if (!on) return on;
    reading.summary.take(entry);
    return visit ? visit(entry) : Result<void>();
  };
  const ledger::WitnessPlace place = release::witness_of(reading.catalog);
  const ledger::Options options{.witness = place, .units = release::units_of(reading.catalog)};
  VERNIER_TRY(std::optional<ledger::Book> book, ledger::look(store, reading.rules.terms, options, see));
  reading.book = std::move(book);
  if (!reading.book || place.is_nowhere()) return {};
  return witness_at(place.of(reading.book->id())).map([&](WitnessReading found) {
    reading.witness = std::move(found);
  });
}

// A witness in a file of its own knows whether there was a ledger.
Result<LedgerReading> without_a_ledger(LedgerReading reading) {
  const Result<void> seen = ledger::Watch(release::witness_of(reading.catalog)).finish(std::nullopt);
  if (seen) return reading;
  return fail(ErrorKind::system, ledger::does_not_hold(reading.name, seen.error()));
}

}  // namespace

ledger::Balance LedgerReading::balance() const {
  return book ? book->balance() : ledger::Balance{rules.quanta.budget(), false, rules.quanta.budget()};
}

Result<void> go_on(const Progress& progress, double done) {
  if (progress(done)) return {};
  return fail(ErrorKind::system, "reading the ledger was stopped; nothing was changed");
}

Result<LedgerReading> read_ledger(const LocatedText& text, const Progress& progress, const Transaction::Visit& visit) {
  query::Reading<query::Catalog> catalog = query::examine_catalog_text(text.path, text.text);
  if (!catalog.content) return Failure(query::problems_in(text.path, catalog.problems));
  VERNIER_TRY(ledger::Rules rules, ledger::rules_of(release::terms_of(*catalog.content)));
  const std::string name = release::ledger_name(*catalog.content);
  LedgerReading reading{.catalog = *std::move(catalog.content), .name = name, .rules = std::move(rules)};
  VERNIER_TRY(const std::unique_ptr<ledger::Store> store,
              release::open_store(reading.catalog, ledger::Missing::is_none));
  if (!store) return without_a_ledger(std::move(reading));
  // What a ledger or its witness says is no matter of usage.
  return replay_into(reading, *store, progress, visit)
      .map([&] { return std::move(reading); })
      .map_error([](Error error) {
        error.kind = ErrorKind::system;
        return error;
      });
}

}  // namespace vernier::cli
