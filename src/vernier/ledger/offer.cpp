#include <string>

#include "vernier/core/rounded_text.hpp"
#include "vernier/ledger/price.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

__extension__ using Wide = __int128;  // products of two amounts are below 2^124

// Whether more of such studies could follow than by their totals. The conversion, which serves all that come after it,
// may take half of what is left at most, so that a small question does not leave next to nothing for a large one.
bool prefers_divergence(const Balance& balance, const Price& price, std::int64_t opening) {
  const std::int64_t left = balance.left.epsilon, rest = left - opening;
  return opening <= rest && Wide(rest) * price.total.epsilon >= Wide(left) * price.divergence->epsilon;
}

// As decimals that were meant: 0.1 and not 0.09999999999999999.
std::string up(const Rational& amount) { return rounded_up_text(amount.round_down()); }
std::string down(const Rational& amount) { return rounded_down_text(amount.round_up()); }

Failure refused(const char* name, const Rational& cost, const Rational& left, const Rational& most) {
  return fail(ErrorKind::exhausted, "the study asks for more than is left: it costs " + up(cost) + " of " + name +
                                        ", and " + down(left) + " of " + down(most) +
                                        " is left; ask for less, or for more of the steward");
}

Failure refused(const Quanta& quanta, const Balance& balance, const Cost& cost) {
  if (cost.epsilon > balance.left.epsilon) {
    return refused("epsilon", quanta.epsilon(cost.epsilon), quanta.epsilon(balance.left.epsilon),
                   quanta.epsilon(balance.most.epsilon));
  }
  return refused("delta", quanta.delta(cost.delta), quanta.delta(balance.left.delta), quanta.delta(balance.most.delta));
}

}  // namespace

Result<Offer> offer_of(const Rules& rules, const Balance& balance, const Price& price) {
  const bool total_fits = fits(price.total, balance.left);
  if (price.divergence) {
    const Cost opening = balance.is_open ? Cost{} : rules.opening;
    const Cost cost = *price.divergence + opening;
    const bool is_preferred = prefers_divergence(balance, price, opening.epsilon) || !total_fits;
    if (is_preferred && fits(cost, balance.left)) return Offer{Manner::divergence, cost};
  }
  if (total_fits) return Offer{Manner::total, price.total};
  return refused(rules.quanta, balance, price.total);
}

}  // namespace vernier::ledger
