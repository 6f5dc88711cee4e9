#include "vernier/ledger/price.hpp"

#include <algorithm>

#include "vernier/accounting/methods.hpp"

namespace vernier::ledger {
namespace {

using accounting::Event;
using numeric::Rational;
using Events = std::span<const Event>;

// At delta 0 the total is pure itself; else the events' own epsilons are added up.
Result<Price> pure_price(const Quanta& quanta, Events events, const Statement& total) {
  const Rational no_delta = Rational::of(0);
  if (total.delta == no_delta) return Price{quanta.spend(total.epsilon, no_delta)};
  const Result<Bounds> epsilon = accounting::method::pure_epsilon(events);
  if (epsilon) return Price{quanta.spend(*Rational::of(epsilon->upper), no_delta)};
  return invalid(
      "the budget of the catalog is pure, but the plan needs a delta: Gaussian noise and private keys do; use a study "
      "without delta, or a catalog with one");
}

// None where a release has no divergence that is known; it is charged by its total then.
std::optional<Cost> divergence_of(const Rules& rules, Events events) {
  const Result<accounting::Charge> charge =
      one_order_of(rules.terms).and_then([&](const accounting::OneOrder& rule) { return rule.charge(events); });
  if (!charge) return std::nullopt;
  return rules.quanta.spend(charge->epsilon, charge->delta);
}

}  // namespace

std::string_view name_of(Manner manner) { return manner == Manner::total ? "total" : "divergence"; }

Statement without_delta(Events events, const Statement& total) {
  const Result<Bounds> pure = accounting::method::pure_epsilon(events);
  if (!pure || events.empty() || total.delta == Rational::of(0)) return total;
  const Rational epsilon = std::max(*Rational::of(pure->upper), total.epsilon);
  const bool is_hardly_more = epsilon * Rational::of(1000) <= total.epsilon * Rational::of(1001);
  return is_hardly_more ? Statement{epsilon, Rational::of(0)} : total;
}

Result<Price> price(const Rules& rules, Events events, const Statement& total) {
  const Accountant accountant = rules.terms.accountant;
  if (accountant == Accountant::pure) return pure_price(rules.quanta, events, total);
  Price found{rules.quanta.spend(total.epsilon, total.delta)};
  if (charges_by_divergence(accountant)) found.divergence = divergence_of(rules, events);
  return found;
}

}  // namespace vernier::ledger
