#include "cli/ledger_state.hpp"

#include <utility>

#include <fmt/format.h>

#include "vernier/query/problem.hpp"
#include "vernier/release/terms.hpp"

namespace vernier::cli {
namespace {

// A ledger that does not exist has nothing spent; opening it would begin it.
Result<ledger::Balance> balance_of(const std::filesystem::path& path, bool exists, const ledger::Terms& terms) {
  if (!exists) return ledger::untouched(terms);
  return ledger::Ledger::open(path, terms).map([](const ledger::Ledger& opened) { return opened.balance(); });
}

Result<ledger::Price> price_of(const plan::Plan& plan, const ledger::Terms& terms) {
  const Result<numeric::Rational> epsilon = numeric::Rational::of(plan.epsilon);
  if (!epsilon) return Failure(epsilon.error());
  const Result<numeric::Rational> delta = numeric::Rational::of(plan.delta.value());
  if (!delta) return Failure(delta.error());
  return ledger::price(terms, plan.events, {*epsilon, *delta});
}

}  // namespace

Result<std::filesystem::path> ledger_path(const query::Catalog& catalog) {
  const std::string& ledger = catalog.budget.ledger;
  if (!ledger.starts_with("postgresql://")) return query::beside(catalog.path, ledger);
  return invalid(
      fmt::format("the ledger of '{}' is an address, and this version keeps ledgers in files; write for "
                  "example ledger = \"catalog.ledger\"",
                  catalog.path.string()));
}

Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan) {
  const Result<std::filesystem::path> path = ledger_path(catalog);
  if (!path) return Failure(path.error());
  const ledger::Terms terms = release::terms_of(catalog.budget);
  std::error_code unreadable;
  const bool exists = std::filesystem::exists(*path, unreadable);
  Result<ledger::Balance> balance = balance_of(*path, exists, terms);
  if (!balance) return Failure(balance.error());
  const Result<ledger::Price> price = price_of(plan, terms);
  if (!price) return Failure(price.error());
  const Result<ledger::Offer> offer = ledger::offer_of(terms, *balance, *price);
  return LedgerState{*path, exists, balance->filter, offer ? offer->amounts : price->total, offer.has_value()};
}

}  // namespace vernier::cli
