#include "vernier/release/catalog_ledger.hpp"

#include <string>

#include "vernier/query/problem.hpp"

namespace vernier::release {
namespace {

ledger::Accountant accountant_of(const query::Budget& budget) {
  switch (budget.accountant) {
    case query::Filter::pure:
      return budget.delta == numeric::Rational::of(0) ? ledger::Accountant::pure : ledger::Accountant::approximate;
    case query::Filter::rdp:
      return ledger::Accountant::rdp;
    case query::Filter::zcdp:
      break;
  }
  return ledger::Accountant::zcdp;
}

}  // namespace

ledger::Terms terms_of(const query::Budget& budget) { return {accountant_of(budget), budget.epsilon, budget.delta}; }

Result<std::filesystem::path> ledger_path(const query::Catalog& catalog) {
  const std::string& ledger = catalog.budget.ledger;
  if (ledger.find("://") == std::string::npos) return query::beside(catalog.path, ledger);
  return invalid("the ledger of '" + catalog.path.string() +
                 "' is an address, and this version keeps ledgers in files; write for example ledger = "
                 "\"catalog.ledger\"");
}

Result<ledger::Ledger> open_ledger(const query::Catalog& catalog) {
  return ledger_path(catalog).and_then(
      [&](const std::filesystem::path& path) { return ledger::Ledger::open(path, terms_of(catalog.budget)); });
}

Result<ledger::Price> price_of(const plan::Plan& plan, const ledger::Terms& terms) {
  const Result<numeric::Rational> epsilon = numeric::Rational::of(plan.epsilon);
  const Result<numeric::Rational> delta = numeric::Rational::of(plan.delta.value());
  if (!epsilon || !delta) return invalid("the plan has no finite total; make the plan anew");
  return ledger::price(terms, plan.events, {*epsilon, *delta});
}

}  // namespace vernier::release
