#include <utility>

#include "vernier/accounting/methods.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using accounting::Event;
using numeric::Rational;
using Events = std::span<const Event>;
using Amounts = std::vector<Rational>;

Rational exact(double value) { return *Rational::of(value); }

// At delta 0 the total is pure itself; else the events' own epsilons are added up.
Result<Amounts> pure_price(Events events, const Statement& total) {
  if (total.delta == Rational::of(0)) return Amounts{total.epsilon};
  const Result<Bounds> epsilon = accounting::method::pure_epsilon(events);
  if (epsilon) return Amounts{exact(epsilon->upper)};
  return invalid(
      "the budget of the catalog is pure, but the plan needs a delta: Gaussian noise and private keys do; use a study "
      "without delta, or a catalog with one");
}

// None where a release has no divergence that is known; it is charged by its total then.
std::optional<Amounts> divergence_of(const Terms& terms, Events events) {
  const Result<accounting::Charge> charge =
      one_order_of(terms).and_then([&](const accounting::OneOrder& rule) { return rule.charge(events); });
  if (!charge) return std::nullopt;
  return Amounts{charge->epsilon, charge->delta};
}

}  // namespace

Result<Price> price(const Terms& terms, Events events, const Statement& total) {
  if (terms.accountant == Accountant::pure) {
    return pure_price(events, total).map([](Amounts amounts) { return Price{std::move(amounts)}; });
  }
  Price found{{total.epsilon, total.delta}};
  if (charges_by_divergence(terms.accountant)) found.divergence = divergence_of(terms, events);
  return found;
}

}  // namespace vernier::ledger
