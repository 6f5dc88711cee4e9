#include "vernier/study/plan.hpp"

#include <optional>
#include <utility>

#include "vernier/release/ledger/catalog_ledger.hpp"

namespace vernier::study {
namespace {

using ledger::Balance;
using ledger::Cost;
using ledger::Rules;

std::vector<LedgerAmount> amounts_of(const Rules& rules, const Balance& balance, const Cost& price, const Cost& once) {
  const ledger::Quanta& quanta = rules.quanta;
  std::vector<LedgerAmount> amounts = {{"epsilon", quanta.epsilon(balance.most.epsilon),
                                        quanta.epsilon(balance.left.epsilon), quanta.epsilon(price.epsilon),
                                        quanta.epsilon(once.epsilon)}};
  if (rules.terms.accountant != ledger::Accountant::pure) {
    amounts.push_back({"delta", quanta.delta(balance.most.delta), quanta.delta(balance.left.delta),
                       quanta.delta(price.delta), quanta.delta(once.delta)});
  }
  return amounts;
}

// Shares are those of the catalog now, which the next release writes down.
Result<Balance> balance_of(const query::Catalog& catalog, const Rules& rules, const std::optional<ledger::Book>& book,
                           const std::string& analyst) {
  const Cost budget = rules.quanta.budget();
  const Balance whole = book ? book->balance() : Balance{budget, false, budget};
  const ledger::Shares shares = release::shares_of(catalog.budget);
  if (analyst.empty() || shares.empty()) return whole;
  return ledger::balance_of(shares, whole, book ? book->spent_by(analyst) : Cost{}, analyst);
}

std::vector<double> accuracies_of(const plan::Plan& plan) {
  std::vector<double> accuracies;
  for (const plan::PlannedStatistic& statistic : plan.statistics) {
    for (const plan::PlannedNoise& noise : statistic.noise) accuracies.push_back(noise.accuracy);
  }
  return accuracies;
}

}  // namespace

Result<Plan> Study::plan() const {
  VERNIER_TRY(plan::Plan content, plan::allocate(bound));
  return Plan(*this, std::move(content));
}

Result<LedgerState> Plan::ledger(const std::string& analyst) const {
  const query::Catalog& catalog = study_.bound.catalog;
  VERNIER_TRY(const std::optional<ledger::Book> book, release::read_book(catalog));
  VERNIER_TRY(const Rules rules, ledger::rules_of(release::terms_of(catalog)));
  VERNIER_TRY(const Balance balance, balance_of(catalog, rules, book, analyst));
  VERNIER_TRY(const ledger::Price price, release::price_of(content_, rules));
  if (const auto conflict = book ? book->units().conflict(release::units_of(content_.study)) : std::nullopt) {
    return invalid("the ledger '" + release::ledger_name(catalog) + "' " + *conflict);
  }
  const Result<ledger::Offer> found = ledger::offer_of(rules, balance, price);
  const ledger::Offer offer = found.value_or(ledger::Offer{ledger::Manner::total, price.total});
  const bool opens = offer.opening != Cost{};
  return LedgerState{release::ledger_name(catalog),
                     book.has_value(),
                     amounts_of(rules, balance, offer.cost, offer.opening),
                     found.has_value(),
                     offer.manner,
                     opens ? std::optional(offer.room) : std::nullopt};
}

Result<std::vector<WhatIf>> Plan::at(const std::vector<privacy::Epsilon>& epsilons, const Progress& progress) const {
  if (epsilons.empty()) return std::vector<WhatIf>();
  VERNIER_TRY(const std::vector<plan::Plan> plans, plan::allocate_at(study_.bound, epsilons, progress));
  std::vector<WhatIf> answers;
  for (std::size_t i = 0; i < plans.size(); ++i) answers.push_back({epsilons[i].value(), accuracies_of(plans[i])});
  return answers;
}

}  // namespace vernier::study
