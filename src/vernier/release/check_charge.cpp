#include "vernier/core/text.hpp"
#include "vernier/ledger/price.hpp"
#include "vernier/release/catalog_ledger.hpp"
#include "vernier/release/examination.hpp"

// What the ledger took.
namespace vernier::release {
namespace {

using ledger::Cost;
using ledger::Manner;
using numeric::Rational;

// At least the price, but for the last digits of another machine, and not much more.
bool is_price(const Rational& stated, const Rational& price) {
  const Rational one = Rational::of(1);
  return stated >= price * (one - *Rational::of(last_digits)) && stated <= price * (one + *Rational::of(overstated));
}

bool is_price(const StatedCharge& stated, const ledger::Rules& rules, const Cost& price) {
  return is_price(stated.epsilon, rules.quanta.epsilon(price.epsilon)) &&
         is_price(stated.delta, rules.quanta.delta(price.delta));
}

// The first charge by divergence pays for the conversion as well; whether this is the first only the ledger knows, and
// a record says by what it paid for the conversion. Those of earlier versions do not say.
bool is_charged(const StatedCharge& stated, const ledger::Rules& rules, const ledger::Price& price) {
  if (stated.opening) {
    return stated.manner == Manner::divergence && price.divergence &&
           stated.opening->epsilon == rules.quanta.epsilon(rules.opening.epsilon) &&
           stated.opening->delta == rules.quanta.delta(rules.opening.delta) &&
           is_price(stated, rules, *price.divergence + rules.opening);
  }
  if (stated.manner == Manner::total) return is_price(stated, rules, price.total);
  return price.divergence &&
         (is_price(stated, rules, *price.divergence) || is_price(stated, rules, *price.divergence + rules.opening));
}

std::string amounts(const Rational& epsilon, const Rational& delta) {
  return "epsilon " + shortest(epsilon.round_up()) + " and delta " + shortest(delta.round_up());
}

Result<void> check_budget(const plan::BoundStudy& study, const ledger::Terms& terms) {
  const bool is_within = study.catalog.budget.epsilon <= terms.epsilon && study.catalog.budget.delta <= terms.delta;
  const bool is_same = study.catalog.budget.epsilon == terms.epsilon && study.catalog.budget.delta == terms.delta;
  if (study.budget ? is_within : is_same) return {};
  return differs("budget", "of the plan", amounts(study.catalog.budget.epsilon, study.catalog.budget.delta),
                 study.budget ? "within that of the ledger" : "that of the ledger");
}

}  // namespace

Finding check_charge(Examination& all) {
  const StatedCharge& stated = all.record.charge;
  VERNIER_TRY(check_budget(all.study, stated.terms));
  const Result<ledger::Rules> rules = ledger::rules_of(stated.terms);
  if (!rules) return invalid("charge: " + rules.error().sentence);
  plan::Plan plan = *all.plan;
  plan.epsilon = all.record.plan.epsilon;
  const Result<ledger::Price> price = price_of(plan, *rules);
  if (!price) return invalid("charge: " + price.error().sentence);
  if (!is_charged(stated, *rules, *price)) {
    const Cost cost = stated.manner == Manner::divergence && price->divergence ? *price->divergence : price->total;
    return differs("charge", std::string(name_of(stated.manner)), amounts(stated.epsilon, stated.delta),
                   amounts(rules->quanta.epsilon(cost.epsilon), rules->quanta.delta(cost.delta)));
  }
  if (stated.epsilon > stated.terms.epsilon || stated.delta > stated.terms.delta) {
    return differs("charge", "amount", amounts(stated.epsilon, stated.delta), "within the budget of the ledger");
  }
  if (stated.theorem != rules->theorem) return differs("charge", "theorem", stated.theorem, rules->theorem);
  return 1;
}

}  // namespace vernier::release
