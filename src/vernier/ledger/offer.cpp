#include <string>
#include <utility>

#include "vernier/core/text.hpp"
#include "vernier/ledger/terms.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;
using Amounts = std::vector<Rational>;

Result<Offer> by_divergence(const Terms& terms, const Balance& balance, Amounts amounts) {
  if (balance.is_open) return Offer{Manner::divergence, std::move(amounts)};
  return one_order_of(terms).map([&](const accounting::OneOrder& rule) {
    return Offer{Manner::divergence, {amounts[0] + rule.opening().epsilon, amounts[1] + rule.opening().delta}};
  });
}

// The conversion is paid once, for all that come after it: worth it where a divergence is half of an epsilon at most.
bool prefers_divergence(const Balance& balance, const Price& price) {
  const Rational times = Rational::of(balance.is_open ? 1 : 2);
  return times * (*price.divergence)[0] <= price.total[0];
}

bool passes(const Balance& balance, const Offer& offer) { return balance.filter.check(offer.amounts).has_value(); }

// The shorter of the doubles around it: 0.1 and not 0.09999999999999999.
std::string told(const Rational& amount) {
  const std::string below = shortest(amount.round_down()), above = shortest(amount.round_up());
  return above.size() < below.size() ? above : below;
}

Failure refused(const accounting::Filter& filter, const Amounts& amounts) {
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    if (amounts[i] <= filter.left(i)) continue;
    return fail(ErrorKind::exhausted, "the study asks for more than is left: it costs " + told(amounts[i]) + " of " +
                                          filter.caps()[i].name + ", and " + told(filter.left(i)) + " of " +
                                          told(filter.caps()[i].most) +
                                          " is left; ask for less, or for more of the steward");
  }
  return Failure(filter.check(amounts).error());
}

}  // namespace

Result<Offer> offer_of(const Terms& terms, const Balance& balance, const Price& price) {
  const Offer total{Manner::total, price.total};
  if (price.divergence) {
    const Result<Offer> other = by_divergence(terms, balance, *price.divergence);
    if (!other) return other;
    const bool is_preferred = prefers_divergence(balance, price) || !passes(balance, total);
    if (is_preferred && passes(balance, *other)) return other;
  }
  if (passes(balance, total)) return total;
  return refused(balance.filter, price.total);
}

}  // namespace vernier::ledger
