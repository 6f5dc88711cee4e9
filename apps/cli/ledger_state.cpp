#include "cli/ledger_state.hpp"

#include <utility>

#include <fmt/format.h>

#include "vernier/query/problem.hpp"

namespace vernier::cli {
namespace {

ledger::Accountant accountant_of(query::Filter filter) {
  if (filter == query::Filter::pure) return ledger::Accountant::pure;
  return filter == query::Filter::zcdp ? ledger::Accountant::zcdp : ledger::Accountant::rdp;
}

// A ledger that does not exist has nothing spent; opening it would begin it.
Result<accounting::Filter> filter_of(const std::filesystem::path& path, bool exists, const ledger::Terms& terms) {
  if (!exists) return ledger::filter_of(terms);
  return ledger::Ledger::open(path, terms).map([](const ledger::Ledger& opened) { return opened.filter(); });
}

Result<std::vector<numeric::Rational>> price_of(const plan::Plan& plan, const ledger::Terms& terms) {
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

ledger::Terms ledger_terms(const query::Budget& budget) {
  return {accountant_of(budget.accountant), budget.epsilon, budget.delta};
}

Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan) {
  const Result<std::filesystem::path> path = ledger_path(catalog);
  if (!path) return Failure(path.error());
  const ledger::Terms terms = ledger_terms(catalog.budget);
  std::error_code unreadable;
  const bool exists = std::filesystem::exists(*path, unreadable);
  Result<accounting::Filter> filter = filter_of(*path, exists, terms);
  if (!filter) return Failure(filter.error());
  Result<std::vector<numeric::Rational>> price = price_of(plan, terms);
  if (!price) return Failure(price.error());
  const bool is_affordable = filter->check(*price).has_value();
  return LedgerState{*path, exists, *std::move(filter), *std::move(price), is_affordable};
}

}  // namespace vernier::cli
