#include <algorithm>
#include <cmath>
#include <utility>

#include "vernier/accounting/event_parts.hpp"
#include "vernier/accounting/event_statement.hpp"
#include "vernier/accounting/fourier/total_loss.hpp"
#include "vernier/accounting/methods.hpp"
#include "vernier/ledger/terms.hpp"
#include "vernier/numeric/rounding.hpp"

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

Failure not_concentrated() {
  return invalid(
      "the plan has an event without a rho, which the accountant zcdp cannot charge; use another accountant");
}

Result<Amounts> zcdp_price(Events events) {
  Amounts sums(2, Rational::of(0));
  for (const Event& event : events) {
    const std::optional<accounting::Concentrated> one = accounting::concentrated(event);
    if (!one || !std::isfinite(one->rho)) return not_concentrated();
    const Rational times = exact(one->times);
    sums[0] = sums[0] + exact(one->rho) * times;
    sums[1] = sums[1] + exact(one->delta) * times;
  }
  return sums;
}

// At least the divergence of the finite losses, in one direction: ln E[e^((a-1) L)] / (a-1).
double divergence_of(std::span<const accounting::LossPart> parts, double order) {
  const accounting::Cumulants total = accounting::fourier::total_cumulants(parts, order - 1);
  return numeric::divide_up(std::max(numeric::add_up(total.value, total.error), 0.0), order - 1);
}

Result<Amounts> rdp_price(Events events, double order) {
  double divergence = 0, infinite = 0;
  for (const accounting::Direction direction : {accounting::Direction::remove, accounting::Direction::add}) {
    const auto parts = accounting::parts_of(events, direction, accounting::End::upper, 1e-300);
    if (!parts) return Failure(parts.error());
    divergence = std::max(divergence, divergence_of(*parts, order));
    infinite = std::max(infinite, accounting::fourier::infinite_mass(*parts).upper);
  }
  if (!std::isfinite(divergence)) {
    return fail(ErrorKind::exhausted, "the plan gives away more than the accountant rdp can charge; add more noise");
  }
  return Amounts{exact(divergence), exact(infinite)};
}

}  // namespace

Result<Amounts> price(const Terms& terms, Events events, const Statement& total) {
  switch (terms.accountant) {
    case Accountant::pure:
      return pure_price(events, total);
    case Accountant::approximate:
      return Amounts{total.epsilon, total.delta};
    case Accountant::zcdp:
      return zcdp_price(events);
    case Accountant::rdp:
      break;
  }
  return renyi_budget_of(terms).and_then([&](const RenyiBudget& budget) { return rdp_price(events, budget.order); });
}

}  // namespace vernier::ledger
