#include "vernier/ledger/refusal.hpp"

#include <string>

#include "vernier/accounting/rdp.hpp"
#include "vernier/accounting/zcdp.hpp"
#include "vernier/core/text.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

// What an amount of the first cap is worth as an epsilon, by itself; none where it is an epsilon, or nothing.
Result<double> epsilon_of(const Terms& terms, double amount) {
  const double delta = half_of(terms.delta).round_down();
  if (!(amount > 0)) return 0;
  if (terms.accountant == Accountant::zcdp) return accounting::zcdp_epsilon(amount, delta);
  const Result<RenyiBudget> budget = renyi_budget_of(terms);
  if (!budget) return Failure(budget.error());
  const auto curve = [&](double) { return amount; };
  return accounting::rdp_epsilon(curve, delta, {{budget->order}, false}).map(&accounting::RdpFigure::figure);
}

std::string with_epsilon(const Terms& terms, std::size_t cap, double amount) {
  const bool is_converted = terms.accountant == Accountant::zcdp || terms.accountant == Accountant::rdp;
  if (!is_converted || cap != 0) return shortest(amount);
  const Result<double> epsilon = epsilon_of(terms, amount);
  return epsilon ? shortest(amount) + " (epsilon " + shortest(*epsilon) + ")" : shortest(amount);
}

Failure refused(const Terms& terms, const accounting::Filter& filter, std::size_t cap, const Rational& amount) {
  return fail(ErrorKind::exhausted, "the study asks for more than is left: it costs " +
                                        with_epsilon(terms, cap, amount.round_up()) + " of " + filter.caps()[cap].name +
                                        ", and " + with_epsilon(terms, cap, filter.left(cap).round_down()) + " of " +
                                        shortest(filter.caps()[cap].most.round_down()) +
                                        " is left; ask for less, or for more of the steward");
}

}  // namespace

Result<void> affordable(const Terms& terms, const accounting::Filter& filter, std::span<const Rational> amounts) {
  Result<void> passed = filter.check(amounts);
  if (passed || passed.error().kind != ErrorKind::exhausted) return passed;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] > filter.left(i)) return refused(terms, filter, i, amounts[i]);
  }
  return passed;
}

}  // namespace vernier::ledger
