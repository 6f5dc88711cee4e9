#include "cli/ledger_state.hpp"

#include <utility>

#include "vernier/release/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

// A ledger that does not exist has nothing spent; opening it would begin it.
Result<ledger::Balance> balance_of(const std::filesystem::path& path, bool exists, const ledger::Terms& terms) {
  if (!exists) return ledger::untouched(terms);
  return ledger::Ledger::open(path, terms).map([](const ledger::Ledger& opened) { return opened.balance(); });
}

}  // namespace

Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan) {
  const Result<std::filesystem::path> path = release::ledger_path(catalog);
  if (!path) return Failure(path.error());
  const ledger::Terms terms = release::terms_of(catalog.budget);
  std::error_code unreadable;
  const bool exists = std::filesystem::exists(*path, unreadable);
  Result<ledger::Balance> balance = balance_of(*path, exists, terms);
  if (!balance) return Failure(balance.error());
  const Result<ledger::Price> price = release::price_of(plan, terms);
  if (!price) return Failure(price.error());
  const Result<ledger::Offer> offer = ledger::offer_of(terms, *balance, *price);
  return LedgerState{*path, exists, balance->filter, offer ? offer->amounts : price->total, offer.has_value()};
}

}  // namespace vernier::cli
