#include "vernier/plan/allocate_price.hpp"

#include <limits>

#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/zcdp.hpp"

namespace vernier::plan {

using accounting::Event;
using accounting::Guarantee;

namespace {

// Infinite where one of them has none.
double rho_of(const std::vector<Event>& events) {
  double sum = 0;
  for (const Event& event : events) {
    const auto one = accounting::concentrated(event);
    sum += one ? one->rho * one->times : std::numeric_limits<double>::infinity();
  }
  return sum;
}

}  // namespace

std::optional<LedgerTerms> ledger_terms_of(const query::Budget& budget) {
  if (budget.accountant == query::Filter::pure) return std::nullopt;
  return LedgerTerms{budget.epsilon.round_down(), budget.delta.round_down() / 2};
}

Result<std::vector<Law>> Pricing::laws(const Choice& choice, double factor) const {
  std::vector<Law> laws;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Result<Law> law = law_of(items_[i], choice[i], factor);
    if (!law) return Failure(law.error());
    laws.push_back(*law);
  }
  return laws;
}

Result<std::vector<Event>> Pricing::events(const Choice& choice, double factor) const {
  const Result<std::vector<Law>> known = laws(choice, factor);
  if (!known) return Failure(known.error());
  std::vector<Event> events;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const Result<Event> event = event_of(items_[i], (*known)[i], neighbours_);
    if (!event) return Failure(event.error());
    events.push_back(*event);
  }
  return events;
}

Result<Guarantee> Pricing::guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const {
  Result<std::vector<Event>> all = events(choice, factor);
  if (!all) return Failure(all.error());
  const auto accountant = accounting::Accountant::of(*std::move(all));
  if (!accountant) return Failure(accountant.error());
  return accountant->epsilon(delta_, tightness);
}

double Pricing::epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const {
  const Result<Guarantee> found = guarantee(choice, factor, tightness);
  return found ? found->bounds.upper : std::numeric_limits<double>::infinity();
}

bool Pricing::is_fair(const Choice& choice, double factor, double spent) const {
  if (!ledger_ || !(spent > 0)) return true;
  const auto all = events(choice, factor);
  if (!all) return false;
  const double if_all_were_spent = rho_of(*all) * ledger_->epsilon / spent;
  if (!(if_all_were_spent < std::numeric_limits<double>::max())) return false;
  const Result<double> worth = accounting::zcdp_epsilon(if_all_were_spent, ledger_->delta);
  return worth && *worth <= ledger_->epsilon;
}

}  // namespace vernier::plan
