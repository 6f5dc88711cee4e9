#include "vernier/ledger/terms.hpp"

#include <string>

#include "vernier/core/text.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

constexpr std::string_view theorem =
    "epsilons and deltas of adaptively chosen releases add up (Rogers, Roth, Ullman and Vadhan 2016), and so do their "
    "Rényi divergences of one order, converted once (Feldman and Zrnic 2021; Canonne, Kamath and Steinke 2020)";

Failure needs_both(const Terms& terms) {
  return invalid("the accountant " + std::string(name_of(terms.accountant)) +
                 " needs an epsilon and a delta above 0, but they are " + shortest(terms.epsilon.round_down()) +
                 " and " + shortest(terms.delta.round_down()) + "; give both, or use the accountant pure");
}

}  // namespace

std::string_view name_of(Accountant accountant) {
  switch (accountant) {
    case Accountant::pure:
      return "pure";
    case Accountant::approximate:
      return "approximate";
    case Accountant::zcdp:
      return "zcdp";
    case Accountant::rdp:
      return "rdp";
  }
  return "";
}

bool charges_by_divergence(Accountant accountant) {
  return accountant == Accountant::zcdp || accountant == Accountant::rdp;
}

Result<accounting::OneOrder> one_order_of(const Terms& terms) {
  if (!(terms.epsilon > Rational::of(0)) || !(terms.delta > Rational::of(0))) return needs_both(terms);
  return accounting::OneOrder::of(terms.epsilon, terms.delta);
}

Result<accounting::Filter> filter_of(const Terms& terms) {
  if (terms.accountant == Accountant::pure) return accounting::pure_filter(terms.epsilon);
  if (terms.accountant == Accountant::approximate) return accounting::approximate_filter(terms.epsilon, terms.delta);
  return one_order_of(terms).and_then([&](const accounting::OneOrder&) {
    return accounting::Filter::of(std::string(theorem), {{"epsilon", terms.epsilon}, {"delta", terms.delta}});
  });
}

Result<Balance> untouched(const Terms& terms) {
  return filter_of(terms).map([](accounting::Filter filter) { return Balance{std::move(filter), false}; });
}

}  // namespace vernier::ledger
