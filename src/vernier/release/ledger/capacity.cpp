#include "vernier/release/ledger/capacity.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "vernier/plan/allocate/choice.hpp"
#include "vernier/plan/allocate/price.hpp"

namespace vernier::release {
namespace {

using ledger::Balance;
using ledger::Cost;
using numeric::Rational;
using Ways = std::vector<CountStudy>;

// 1, 2, 5, 10, ... 5e9.
constexpr int most_steps = 30;
constexpr std::int64_t round_number(int step) {
  constexpr std::array<std::int64_t, 3> digits = {1, 2, 5};
  std::int64_t power = 1;
  for (int i = 0; i < step / 3; ++i) power *= 10;
  return digits[static_cast<std::size_t>(step % 3)] * power;
}

constexpr std::int64_t for_ever = std::numeric_limits<std::int64_t>::max();

bool is_free(const Cost& cost) { return cost.epsilon <= 0 && cost.delta <= 0; }  // no release that was priced is

std::int64_t times_of(std::int64_t cost, std::int64_t left) { return cost > 0 ? left / cost : for_ever; }

// How often the cost is within what is left.
std::int64_t times_of(const Cost& cost, const Cost& left) {
  return std::min(times_of(cost.epsilon, left.epsilon), times_of(cost.delta, left.delta));
}

Cost times(std::int64_t count, const Cost& cost) { return {count * cost.epsilon, count * cost.delta}; }

plan::NoiseItem item_of(std::int64_t accuracy, Alpha alpha) {
  return {
      .shift = 1, .coordinates = 1, .base = plan::scales_for(accuracy, alpha), .is_free = false, .keys = std::nullopt};
}

Result<CountStudy> priced(const ledger::Rules& rules, const plan::Pricing& pricing, std::int64_t accuracy,
                          ledger::Opening opening) {
  const plan::Choice choice = plan::cheapest(pricing, 1);
  const auto laws = pricing.laws(choice, 1);
  const auto events = pricing.events(choice, 1);
  const auto total = pricing.guarantee(choice, 1, accounting::Tightness::usual());
  if (!laws) return Failure(laws.error());
  if (!events) return Failure(events.error());
  if (!total) return Failure(total.error());
  const double epsilon = total->bounds.upper;
  const Result<Rational> exact_epsilon = Rational::of(epsilon), exact_delta = Rational::of(pricing.delta().value());
  if (!exact_epsilon || !exact_delta) return invalid("a count of this accuracy has no finite price; ask for less");
  const ledger::Statement stated = ledger::without_delta(*events, {*exact_epsilon, *exact_delta});
  return ledger::price(rules, *events, stated).map([&](ledger::Price price) {
    price.opening = opening;
    return CountStudy{accuracy, laws->front(), epsilon, pricing.delta(), price};
  });
}

}  // namespace

Result<std::vector<CountStudy>> count_studies(const ledger::Rules& rules, std::int64_t accuracy, Alpha alpha,
                                              ledger::Opening opening) {
  VERNIER_TRY(const privacy::Delta usual, plan::usual_delta(rules.terms.delta));
  std::vector<privacy::Delta> deltas = {usual};
  if (!usual.is_pure()) deltas.push_back(privacy::Delta::of(0).value());
  std::vector<CountStudy> ways;
  for (const privacy::Delta delta : deltas) {
    VERNIER_TRY(CountStudy way, priced(rules, plan::Pricing({item_of(accuracy, alpha)}, rules.terms.neighbours, delta),
                                       accuracy, opening));
    ways.push_back(std::move(way));
  }
  return ways;
}

// In runs of one manner: capacity.md proves that the manner stays until its cost no longer fits, so a run is a
// quotient.
std::int64_t times_within(const ledger::Rules& rules, Balance balance, const ledger::Price& price) {
  if (is_free(price.total) || (price.divergence && is_free(*price.divergence))) return for_ever;
  std::int64_t granted = 0;
  while (const Result<ledger::Offer> offer = ledger::offer_of(rules, balance, price)) {
    const bool is_total = offer->manner == ledger::Manner::total;
    const Cost each = is_total ? price.total : *price.divergence;
    balance.left = balance.left - offer->cost;
    balance.is_open = balance.is_open || !is_total;
    const std::int64_t more = times_of(each, balance.left);
    balance.left = balance.left - times(more, each);
    granted += 1 + more;
  }
  return granted;
}

Capacity capacity(const ledger::Rules& rules, const Balance& balance, const std::vector<CountStudy>& ways) {
  Capacity best{times_within(rules, balance, ways.front().price), ways.front()};
  for (const CountStudy& way : ways) {
    const std::int64_t counts = times_within(rules, balance, way.price);
    if (counts > best.counts) best = {counts, way};
  }
  return best;
}

Result<std::vector<Ways>> affordable_counts(const ledger::Rules& rules, const Balance& balance, Alpha alpha,
                                            ledger::Opening opening) {
  std::vector<Ways> found;
  for (int step = 0; step < most_steps && found.empty(); ++step) {
    Result<Ways> first = count_studies(rules, round_number(step), alpha, opening);
    if (!first || capacity(rules, balance, *first).counts == 0) continue;
    found.push_back(*std::move(first));
    for (const int further : {1, 2, 3, 6}) {
      VERNIER_TRY(Ways next, count_studies(rules, round_number(step + further), alpha, opening));
      found.push_back(std::move(next));
    }
  }
  return found;
}

}  // namespace vernier::release
