#include "vernier/release/terms.hpp"

#include <string_view>

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

Result<ledger::Ledger> open_ledger(const query::Catalog& catalog) {
  if (catalog.budget.ledger.find("://") != std::string::npos) {
    return invalid("the ledger '" + catalog.budget.ledger +
                   "' is an address, but this version keeps ledgers in files only; name a file beside the catalog");
  }
  return ledger::Ledger::open(catalog.path.parent_path() / catalog.budget.ledger, terms_of(catalog.budget));
}

}  // namespace vernier::release
