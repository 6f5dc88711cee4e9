#include "vernier/plan/allocate/price.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/accounting/statement.hpp"
#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/meant.hpp"
#include "vernier/numeric/normal.hpp"
#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/search.hpp"
#include "vernier/query/value.hpp"
#include "vernier/table/moves.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

constexpr int part_of_delta = 10;

Rational tenth_of(const Rational& delta) { return *quotient(delta, Rational::of(part_of_delta)); }

Rational exact_delta(const BoundStudy& study) {
  return study.budget ? study.budget->delta : tenth_of(study.catalog.budget.delta);
}

const Rational& exact_ceiling(const BoundStudy& study) {
  return study.budget ? study.budget->epsilon : study.catalog.budget.epsilon;
}

std::string text_of(const Rational& value) { return query::plain(meant(value)); }

Result<void> check_within(const std::string& name, const Rational& asked, const Rational& has) {
  if (asked <= has) return {};
  return invalid("the study asks for more than the catalog has: its budget has " + name + " " + text_of(asked) +
                 ", the catalog's " + text_of(has) + "; lower the study's " + name);
}

}  // namespace

Result<privacy::Delta> delta_of(const BoundStudy& study) { return privacy::Delta::of(exact_delta(study).round_down()); }

Result<privacy::Delta> usual_delta(const Rational& catalog_delta) {
  return privacy::Delta::of(tenth_of(catalog_delta).round_down());
}

double ceiling_of(const BoundStudy& study) { return exact_ceiling(study).round_down(); }

Result<void> check_budget(const BoundStudy& study) {
  if (!study.budget) return {};
  const query::Budget& whole = study.catalog.budget;
  return check_within("epsilon", study.budget->epsilon, whole.epsilon).and_then([&] {
    return check_within("delta", study.budget->delta, whole.delta);
  });
}

std::string described_ceiling(const BoundStudy& study) {
  return (study.budget ? "the budget has " : "the catalog has ") + text_of(exact_ceiling(study));
}

std::string described_delta(const BoundStudy& study) { return "delta " + text_of(exact_delta(study)); }

namespace {

constexpr std::int64_t greatest_threshold = std::int64_t{1} << 53;

// About where the tail of one key is its part of the risk; only speed depends on it.
double guess(const noise::Geometric& law, double log_tail) {
  return 1 - law.scale() * (log_tail + std::log1p(std::exp(-1 / law.scale())));
}
double guess(const noise::DiscreteGaussian& law, double log_tail) {
  return 1.5 + law.scale() * numeric::normal_upper_point(std::fmin(log_tail, std::log(0.5)));
}
template <class Other>
double guess(const Other&, double) {
  return 1;
}

template <class Known>
Bounds escape(const accounting::KeyRule& rule, const Known& law) {
  return rule.escape(law);
}
// Nothing is certain of keys that a choice would choose, or a box: no threshold serves.
Bounds escape(const accounting::KeyRule&, const noise::Exponential&) { return {0, 1}; }
Bounds escape(const accounting::KeyRule&, const noise::Box&) { return {0, 1}; }

}  // namespace

Bounds escape_of_any(const Law& law, std::int64_t touched, std::int64_t threshold) {
  const accounting::KeyRule rule(threshold);
  accounting::AnyFailure any;
  any.add(std::visit([&](const auto& known) { return escape(rule, known); }, law), static_cast<double>(touched));
  return any.chance();
}

Result<std::int64_t> least_threshold(const Law& law, KeyRisk risk) {
  const double log_tail = std::log(risk.delta) - std::log(static_cast<double>(risk.touched));
  const double about = std::ceil(std::visit([&](const auto& known) { return guess(known, log_tail); }, law));
  const auto keeps = [&](std::int64_t threshold) {
    return escape_of_any(law, risk.touched, threshold).upper <= risk.delta;
  };
  return numeric::least_integer(keeps, static_cast<std::int64_t>(about), {1, greatest_threshold});
}

namespace {

using accounting::Event;
using mechanism::DiscreteGaussianMechanism;
using mechanism::GeometricMechanism;

constexpr double least_stated_epsilon = 1e-10;  // that privacy::Epsilon takes

Result<Law> law_at(LawKind kind, double scale) {
  const auto any = [](const auto& known) { return Law(known); };
  if (kind == LawKind::geometric) return noise::Geometric::of(*LaplaceScale::of(scale)).map(any);
  return noise::DiscreteGaussian::of(*Sigma::of(scale)).map(any);
}

Result<GeometricMechanism> mechanism_of(const noise::Geometric& law, privacy::IntegerSensitivity shift) {
  return GeometricMechanism::at_scale(*LaplaceScale::of(law.scale()), shift);
}
Result<DiscreteGaussianMechanism> mechanism_of(const noise::DiscreteGaussian& law, privacy::IntegerSensitivity shift) {
  return DiscreteGaussianMechanism::at_scale(*Sigma::of(law.scale()), shift);
}

// One choice has a range of shift / scale: noise/exponential.md. What is less than can be stated is stated as the
// least.
Result<accounting::Choice> mechanism_of(const noise::Exponential& law, privacy::IntegerSensitivity shift) {
  const double epsilon = numeric::divide_up(static_cast<double>(shift.value()), law.scale());
  return privacy::Epsilon::of(std::max(epsilon, least_stated_epsilon)).map([](privacy::Epsilon stated) {
    return accounting::Choice{stated};
  });
}

// However many numbers are in the box, it gives away what one Laplace noise does: noise/box.md.
Result<mechanism::LaplaceMechanism> mechanism_of(const noise::Box& law, privacy::IntegerSensitivity shift) {
  return privacy::L1Sensitivity::of(static_cast<double>(shift.value())).map([&](privacy::L1Sensitivity moved) {
    return mechanism::LaplaceMechanism::at_scale(*LaplaceScale::of(law.scale()), moved);
  });
}

Result<accounting::KeySelection> selected(const accounting::Choice&, std::int64_t, std::int64_t) {
  return invalid("private keys are not chosen by a choice among values");
}
Result<accounting::KeySelection> selected(const mechanism::LaplaceMechanism&, std::int64_t, std::int64_t) {
  return invalid("private keys are not chosen by a number of a box");
}
template <class Mechanism>
Result<accounting::KeySelection> selected(const Mechanism& noise, std::int64_t threshold, std::int64_t groups) {
  return accounting::KeySelection::of(noise, threshold, groups);
}

Result<accounting::Release> selection(const NoiseItem& item, const Law& law, privacy::IntegerSensitivity one,
                                      privacy::Neighbours neighbours) {
  VERNIER_TRY(const std::int64_t threshold, threshold_of(item, law, neighbours));
  return std::visit(
      [&](const auto& known) -> Result<accounting::Release> {
        VERNIER_TRY(const auto noise, mechanism_of(known, one));
        return selected(noise, threshold, item.keys->groups).map([](const auto& keys) {
          return accounting::Release(keys);
        });
      },
      law);
}

Result<accounting::Release> release_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  VERNIER_TRY(const privacy::IntegerSensitivity shift, privacy::IntegerSensitivity::of(item.shift));
  if (item.keys) return selection(item, law, shift, neighbours);
  return std::visit(
      [&](const auto& known) {
        return mechanism_of(known, shift).map([](const auto& noise) { return accounting::Release(noise); });
      },
      law);
}

}  // namespace

std::vector<NoiseItem> with_risk_of_keys(std::vector<NoiseItem> items, double times) {
  for (NoiseItem& item : items) {
    if (item.keys) item.keys->delta *= times;
  }
  return items;
}

Result<Law> law_of(const NoiseItem& item, LawKind kind, double factor) {
  const double scale = item.base[static_cast<std::size_t>(kind)] * (item.is_free ? factor : 1);
  const double held = std::clamp(std::min(scale, item.greatest), noise::least_integer_scale, greatest_scale);
  if (item.tables != nullptr) return law_at(LawKind::discrete_gaussian, held);
  if (item.is_boxed) {
    return noise::Box::of(*LaplaceScale::of(held)).map([](const noise::Box& law) { return Law(law); });
  }
  if (!item.is_choice) return law_at(kind, held);
  return noise::Exponential::of(*LaplaceScale::of(held)).map([](const noise::Exponential& law) { return Law(law); });
}

Result<std::int64_t> threshold_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  return least_threshold(law, {accounting::touched_keys(item.keys->groups, neighbours), item.keys->delta});
}

Result<Event> event_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  VERNIER_TRY(const accounting::Release release, release_of(item, law, neighbours));
  VERNIER_TRY(const auto times, item.keys ? accounting::Times::once() : accounting::Times::of(item.coordinates));
  return Event::of(release, neighbours, times);
}

using accounting::Guarantee;

Result<table::Laws> contrast_laws(const BoundTables& tables, double scale) {
  if (tables.stated) return *tables.stated;
  std::vector<double> variances = tables.design.variances;
  for (double& one : variances) one *= scale * scale;
  return table::laws_of(*tables.lattice, variances);
}

Result<std::vector<Event>> events_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours) {
  if (item.tables == nullptr) {
    return event_of(item, law, neighbours).map([](const Event& one) { return std::vector<Event>{one}; });
  }
  VERNIER_TRY(const table::Laws laws, contrast_laws(*item.tables, scale_of(law)));
  return table::events_of_unit(*item.tables->lattice, laws, neighbours, item.tables->counted.contribution.max_rows);
}

std::vector<std::size_t> first_equal(const std::vector<NoiseItem>& items) {
  using Facts = std::tuple<std::int64_t, std::int64_t, double, double, bool, std::int64_t, double, bool, bool,
                           const BoundTables*, double>;
  std::map<Facts, std::size_t> known;
  std::vector<std::size_t> first;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const NoiseItem& one = items[i];
    const KeyTerms keys = one.keys.value_or(KeyTerms{0, 0});
    const Facts facts{one.shift,  one.coordinates, one.base[0],  one.base[1], one.is_free, keys.groups,
                      keys.delta, one.is_choice,   one.is_boxed, one.tables,  one.greatest};
    first.push_back(known.emplace(facts, i).first->second);
  }
  return first;
}

Pricing::Pricing(std::vector<NoiseItem> items, privacy::Neighbours neighbours, privacy::Delta delta)
    : items_(std::move(items)), first_equal_(first_equal(items_)), neighbours_(neighbours), delta_(delta) {}

Result<std::vector<Law>> Pricing::laws(const Choice& choice, double factor) const {
  std::vector<Law> laws;
  laws.reserve(items_.size());
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t first = first_equal_[i];
    if (first < i && choice[first] == choice[i]) {
      laws.push_back(Law(laws[first]));
      continue;
    }
    VERNIER_TRY(const Law law, law_of(items_[i], choice[i], factor));
    laws.push_back(law);
  }
  return laws;
}

// Of equal items that have equal laws once: the threshold of private keys is searched for.
Result<std::vector<Event>> Pricing::events(const Choice& choice, double factor) const {
  VERNIER_TRY(const std::vector<Law> known, laws(choice, factor));
  std::vector<Event> events;
  std::vector<std::pair<std::size_t, std::size_t>> places;  // of each item: its first event, and how many it has
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const std::size_t first = first_equal_[i];
    if (first < i && choice[first] == choice[i]) {
      const auto [from, count] = places[first];
      places.emplace_back(events.size(), count);
      for (std::size_t j = 0; j < count; ++j) events.push_back(Event(events[from + j]));
      continue;
    }
    VERNIER_TRY(const std::vector<Event> more, events_of(items_[i], known[i], neighbours_));
    places.emplace_back(events.size(), more.size());
    events.insert(events.end(), more.begin(), more.end());
  }
  return events;
}

Result<Guarantee> Pricing::guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const {
  VERNIER_TRY(std::vector<Event> all, events(choice, factor));
  VERNIER_TRY(const auto accountant, accounting::Accountant::of(std::move(all)));
  return accountant.epsilon(delta_, tightness);
}

double Pricing::epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const {
  const Result<Guarantee> found = guarantee(choice, factor, tightness);
  return found ? found->bounds.upper : std::numeric_limits<double>::infinity();
}

}  // namespace vernier::plan
