#include <string>
#include <utility>

#include "vernier/core/rounded_text.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;
using Amounts = std::vector<Rational>;

// What it costs to begin with divergences; nothing once that is paid.
Result<accounting::Charge> opening_of(const Terms& terms, const Balance& balance) {
  if (balance.is_open) return accounting::Charge{Rational::of(0), Rational::of(0)};
  return one_order_of(terms).map([](const accounting::OneOrder& rule) { return rule.opening(); });
}

// Whether more of such studies could follow than by their totals. The conversion, which serves all that come after it,
// may take half of what is left at most, so that a small question does not leave next to nothing for a large one.
bool prefers_divergence(const Balance& balance, const Price& price, const Rational& opening) {
  const Rational left = balance.filter.left(0), rest = left - opening;
  return opening <= rest && rest * price.total[0] >= left * (*price.divergence)[0];
}

bool passes(const Balance& balance, const Offer& offer) { return balance.filter.check(offer.amounts).has_value(); }

// As decimals that were meant: 0.1 and not 0.09999999999999999.
std::string up(const Rational& amount) { return rounded_up_text(amount.round_down()); }
std::string down(const Rational& amount) { return rounded_down_text(amount.round_up()); }

Failure refused(const accounting::Filter& filter, const Amounts& amounts) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] <= filter.left(i)) continue;
    return fail(ErrorKind::exhausted, "the study asks for more than is left: it costs " + up(amounts[i]) + " of " +
                                          filter.caps()[i].name + ", and " + down(filter.left(i)) + " of " +
                                          down(filter.caps()[i].most) +
                                          " is left; ask for less, or for more of the steward");
  }
  return Failure(filter.check(amounts).error());
}

}  // namespace

Result<Offer> offer_of(const Terms& terms, const Balance& balance, const Price& price) {
  const Offer total{Manner::total, price.total};
  if (price.divergence) {
    const Result<accounting::Charge> opening = opening_of(terms, balance);
    if (!opening) return Failure(opening.error());
    const Amounts& amounts = *price.divergence;
    Offer other{Manner::divergence, {amounts[0] + opening->epsilon, amounts[1] + opening->delta}};
    const bool is_preferred = prefers_divergence(balance, price, opening->epsilon) || !passes(balance, total);
    if (is_preferred && passes(balance, other)) return other;
  }
  if (passes(balance, total)) return total;
  return refused(balance.filter, price.total);
}

}  // namespace vernier::ledger
