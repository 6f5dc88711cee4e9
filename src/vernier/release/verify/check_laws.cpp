#include <algorithm>

#include "vernier/core/text.hpp"
#include "vernier/core/version.hpp"
#include "vernier/ledger/price.hpp"
#include "vernier/plan/allocate/planned.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/release/ledger/catalog_ledger.hpp"
#include "vernier/release/verify/examination.hpp"

// What follows from the stated laws.
namespace vernier::release {
namespace {

using plan::BoundStatistic;
using plan::PlannedNoise;
using plan::PlannedStatistic;

// The planner shares a budget out to 1e-6 of the scale, by totals that are known to 1e-5.
constexpr double planner_agrees = 1e-4;

// Of what was measured; what is shared has the law of its source.
std::vector<plan::Law> laws_of(const plan::Plan& plan) {
  std::vector<plan::Law> laws;
  for (const plan::MeasuredPlace& place : plan::measured_places(plan.study)) {
    laws.push_back(plan.statistics[place.statistic].noise[place.measurement].law);
  }
  for (const plan::PlannedTables& tables : plan.tables) {
    if (const auto law = plan::law_of(plan::LawName::discrete_gaussian, tables.scale)) laws.push_back(*law);
  }
  return laws;
}

std::string law_text(const plan::Law& law) {
  return std::string(plan::name_of(law)) + " of scale " + shortest(plan::scale_of(law));
}

// Goes through all measurements with what is stated of them and what was found.
template <class Look>
Finding for_each_noise(const Examination& all, const plan::Plan& found, const Look& look) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    const BoundStatistic& statistic = all.study.statistics[i];
    for (std::size_t j = 0; j < statistic.measurements.size(); ++j, ++count) {
      VERNIER_TRY(look(place_of(statistic, statistic.measurements[j]), all.record.plan.statistics[i].noise[j],
                       found.statistics[i].noise[j]));
    }
  }
  return count;
}

// Numbers but for their last digits.
bool is_same_forecast(const std::vector<plan::PublishedChance>& stated,
                      const std::vector<plan::PublishedChance>& found) {
  return std::equal(stated.begin(), stated.end(), found.begin(), found.end(),
                    [](const plan::PublishedChance& a, const plan::PublishedChance& b) {
                      return a.units == b.units && is_close(a.chance.lower, b.chance.lower, overstated) &&
                             is_close(a.chance.upper, b.chance.upper, overstated);
                    });
}

bool has_same_thresholds(const plan::Plan& stated, const plan::Plan& found) {
  return std::equal(
      stated.statistics.begin(), stated.statistics.end(), found.statistics.begin(), found.statistics.end(),
      [](const auto& a, const auto& b) { return !a.keys || !b.keys || a.keys->threshold == b.keys->threshold; });
}

// With half of delta for the thresholds of keys; where those of the record are others, with more, as the planner may
// have taken it.
Result<plan::Plan> recomputed(const Examination& all, const std::vector<plan::NoiseItem>& items, privacy::Delta delta) {
  const plan::Plan& stated = all.record.plan;
  Result<plan::Plan> usual = plan::planned_with(all.study, items, laws_of(stated), delta);
  if (!usual || has_same_thresholds(stated, *usual)) return usual;
  for (const double times : plan::greater_risks_of_keys) {
    auto found = plan::planned_with(all.study, plan::with_risk_of_keys(items, times), laws_of(stated), delta);
    if (found && has_same_thresholds(stated, *found)) return found;
  }
  return usual;
}

}  // namespace

// At the study's delta; or at none, where the planner took none: that is more than was asked.
Finding check_total(Examination& all) {
  const plan::Plan& stated = all.record.plan;
  const Result<privacy::Delta> delta = plan::delta_of(all.study);
  if (!delta) return invalid(after("budget: ", delta.error()));
  if (!stated.delta.is_pure() && delta->value() != stated.delta.value()) {
    return differs("guarantee", "delta", shortest(stated.delta.value()), shortest(delta->value()));
  }
  VERNIER_TRY(design_all_tables(all));
  VERNIER_TRY(take_stated_laws(all));
  const auto items = plan::items_of(all.study, stated.delta);
  if (!items) return invalid(after("budget: ", items.error()));
  Result<plan::Plan> found = recomputed(all, *items, stated.delta);
  if (!found) return invalid(after("guarantee: it cannot be recomputed, since ", found.error()));
  all.plan = *std::move(found);
  const double epsilon = all.plan->epsilon;
  const bool is_enough = stated.epsilon >= epsilon * (1 - last_digits);
  const bool is_needed = stated.epsilon <= epsilon * (1 + overstated);
  if (!is_enough || !is_needed) return differs("guarantee", "epsilon", shortest(stated.epsilon), shortest(epsilon));
  if (stated.method != all.plan->method) {
    return differs("guarantee", "method", std::string(name_of(stated.method)), std::string(name_of(all.plan->method)));
  }
  if (stated.epsilon > plan::ceiling_of(all.study) * (1 + last_digits)) {
    return differs("guarantee", "epsilon", shortest(stated.epsilon), "within the budget");
  }
  return 1;
}

Finding check_events(Examination& all) {
  const auto &stated = all.record.plan.events, &found = all.plan->events;
  if (stated.size() != found.size()) {
    return differs("events", "number", std::to_string(stated.size()), std::to_string(found.size()));
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::string stated_text = event_json(stated[i]), found_text = event_json(found[i]);
    if (stated_text != found_text) return differs("event " + std::to_string(i + 1), "release", stated_text, found_text);
  }
  return static_cast<std::int64_t>(found.size());
}

Finding check_scales(Examination& all) {
  if (all.record.software != version()) return 0;  // another version may share a budget out in another way
  plan::BoundStudy asked = all.study;
  for (plan::BoundTables& tables : asked.tables) tables.stated.reset();
  const Result<plan::Plan> found = plan::allocate(asked);
  if (!found) return invalid(after("scales: they cannot be recomputed, since ", found.error()));
  for (std::size_t i = 0; i < found->tables.size(); ++i) {
    const double stated = all.record.plan.tables[i].scale, one = found->tables[i].scale;
    if (is_close(stated, one, planner_agrees)) continue;
    return differs("table '" + all.study.tables[i].name + "'", "scale", shortest(stated), shortest(one));
  }
  return for_each_noise(
             all, *found,
             [](const std::string& place, const PlannedNoise& stated, const PlannedNoise& one) {
               const bool is_same = plan::name_of(stated.law) == plan::name_of(one.law) &&
                                    is_close(plan::scale_of(stated.law), plan::scale_of(one.law), planner_agrees);
               return is_same ? Result<void>() : differs(place, "noise", law_text(stated.law), law_text(one.law));
             })
      .map([&](std::int64_t count) { return count + static_cast<std::int64_t>(found->tables.size()); });
}

Finding check_accuracies(Examination& all) {
  return for_each_noise(
      all, *all.plan,
      [](const std::string& place, const PlannedNoise& stated, const PlannedNoise& found) -> Result<void> {
        if (stated.accuracy_steps != found.accuracy_steps) {
          return differs(place, "accuracy in steps", std::to_string(stated.accuracy_steps),
                         std::to_string(found.accuracy_steps));
        }
        if (stated.accuracy != found.accuracy) {
          return differs(place, "accuracy", shortest(stated.accuracy), shortest(found.accuracy));
        }
        return {};
      });
}

Finding check_shares(Examination& all) {
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    const auto &stated = all.study.statistics[i].weight, &found = all.plan->study.statistics[i].weight;
    if (stated == found) continue;
    return differs(place_of(all.study.statistics[i]), "weight", shortest(stated.round_up()),
                   shortest(found.round_up()) + ", relative to the first that something is shared by");
  }
  return for_each_noise(
      all, *all.plan, [](const std::string& place, const PlannedNoise& stated, const PlannedNoise& found) {
        const bool is_same = is_close(stated.share, found.share, overstated);
        return is_same ? Result<void>() : differs(place, "share", shortest(stated.share), shortest(found.share));
      });
}

Finding check_key_rules(Examination& all) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < all.study.statistics.size(); ++i) {
    const auto &stated = all.record.plan.statistics[i].keys, &found = all.plan->statistics[i].keys;
    if (!stated) continue;
    const std::string place = place_of(all.study.statistics[i]);
    if (stated->threshold != found->threshold) {
      return differs(place, "threshold", std::to_string(stated->threshold), std::to_string(found->threshold));
    }
    if (!is_close(stated->delta, found->delta, last_digits)) {
      return differs(place, "delta of the keys", shortest(stated->delta), shortest(found->delta));
    }
    if (!is_same_forecast(stated->forecast, found->forecast)) {
      return differs(place, "forecast of the keys", "as it is stated", "what the threshold lets through");
    }
    ++count;
  }
  return count;
}

// What the ledger took.
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
  if (!rules) return invalid(after("charge: ", rules.error()));
  plan::Plan plan = *all.plan;
  plan.epsilon = all.record.plan.epsilon;
  const Result<ledger::Price> price = price_of(plan, *rules);
  if (!price) return invalid(after("charge: ", price.error()));
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
