#include <algorithm>
#include <limits>
#include <string>

#include "vernier/core/rounded_text.hpp"
#include "vernier/ledger/price.hpp"

namespace vernier::ledger {
namespace {

using numeric::Rational;

__extension__ using Wide = __int128;  // products of an amount and a small number

constexpr std::int64_t payback = 10;  // such studies, within which the conversion must have paid for itself

std::int64_t times_of(std::int64_t cost, std::int64_t left) {
  return cost > 0 ? left / cost : std::numeric_limits<std::int64_t>::max();
}
std::int64_t times_of(const Cost& cost, const Cost& left) {
  if (!fits({}, left)) return 0;
  return std::min(times_of(cost.epsilon, left.epsilon), times_of(cost.delta, left.delta));
}

Room room_of(const Rules& rules, const Balance& balance, const Price& price) {
  return {times_of(*price.divergence, balance.left - rules.opening), times_of(price.total, balance.left)};
}

// Whether ten such studies cost less with the conversion than without it.
bool pays_itself_back(const Rules& rules, const Price& price) {
  return Wide(payback) * (price.total.epsilon - price.divergence->epsilon) >= rules.opening.epsilon;
}

// Whether the conversion is worth it for what is asked. It serves all that come after, so it may take half of what is
// left at most: a small question does not leave next to nothing for a large one. adaptive.md: any rule is valid.
bool is_worth_opening(const Rules& rules, const Balance& balance, const Price& price) {
  const Room room = room_of(rules, balance, price);
  return fits(*price.divergence, price.total) && room.with_conversion > room.by_totals &&
         rules.opening.epsilon <= balance.left.epsilon - rules.opening.epsilon &&
         (price.opening == Opening::early || pays_itself_back(rules, price));
}

// Once the conversion is paid, divergences that cost no more.
bool prefers_divergence(const Rules& rules, const Balance& balance, const Price& price) {
  if (balance.is_open) return price.divergence->epsilon <= price.total.epsilon;
  return is_worth_opening(rules, balance, price);
}

Offer by_divergence(const Rules& rules, const Balance& balance, const Price& price) {
  if (balance.is_open) return {Manner::divergence, *price.divergence};
  return {Manner::divergence, *price.divergence + rules.opening, rules.opening, room_of(rules, balance, price)};
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
  const bool may_diverge = price.divergence && (balance.is_open || price.opening != Opening::never);
  if (may_diverge && (!total_fits || prefers_divergence(rules, balance, price))) {
    const Offer offer = by_divergence(rules, balance, price);
    if (fits(offer.cost, balance.left)) return offer;
  }
  if (total_fits) return Offer{Manner::total, price.total};
  return refused(rules.quanta, balance, price.total);
}

}  // namespace vernier::ledger
