#include "cli/ledger_state.hpp"

#include <optional>
#include <utility>

#include "vernier/release/catalog_ledger.hpp"

namespace vernier::cli {
namespace {

using ledger::Balance;
using ledger::Cost;
using ledger::Rules;

std::vector<LedgerAmount> amounts_of(const Rules& rules, const Balance& balance, const Cost& price) {
  const ledger::Quanta& quanta = rules.quanta;
  std::vector<LedgerAmount> amounts = {{"epsilon", quanta.epsilon(balance.most.epsilon),
                                        quanta.epsilon(balance.left.epsilon), quanta.epsilon(price.epsilon)}};
  if (rules.terms.accountant != ledger::Accountant::pure) {
    amounts.push_back(
        {"delta", quanta.delta(balance.most.delta), quanta.delta(balance.left.delta), quanta.delta(price.delta)});
  }
  return amounts;
}

}  // namespace

Result<LedgerState> ledger_state(const query::Catalog& catalog, const plan::Plan& plan) {
  const Result<std::optional<ledger::Book>> book = release::read_book(catalog);
  if (!book) return Failure(book.error());
  const Result<Rules> rules = ledger::rules_of(release::terms_of(catalog));
  if (!rules) return Failure(rules.error());
  const Balance untouched{rules->quanta.budget(), false, rules->quanta.budget()};
  const Balance balance = *book ? (*book)->balance() : untouched;
  const Result<ledger::Price> price = release::price_of(plan, *rules);
  if (!price) return Failure(price.error());
  const Result<ledger::Offer> offer = ledger::offer_of(*rules, balance, *price);
  return LedgerState{release::ledger_name(catalog), book->has_value(),
                     amounts_of(*rules, balance, offer ? offer->cost : price->total), offer.has_value()};
}

}  // namespace vernier::cli
