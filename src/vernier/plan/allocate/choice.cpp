#include "vernier/plan/allocate/choice.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vernier/core/text.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/scale_bracket.hpp"

namespace vernier::plan {
namespace {

// Of the factor. What has a closed form is found to the last digits; sums of many losses are known to 1e-5.
constexpr double usual_precision = 1e-6;
constexpr double closed_precision = 1e-13;
constexpr double rough_precision = 1e-4;

bool has_closed_form(const Pricing& pricing) {
  const auto& items = pricing.items();
  return pricing.delta().is_pure() || (items.size() == 1 && !items.front().keys && items.front().coordinates == 1 &&
                                       items.front().tables == nullptr);
}

struct FactorRange {
  double least;     // all free scales are at the least that the laws take, or below it
  double greatest;  // none is above the greatest
};

FactorRange range_of(const std::vector<NoiseItem>& items, const Choice& choice) {
  FactorRange range{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < items.size(); ++i) {
    const double base = items[i].base[static_cast<std::size_t>(choice[i])];
    if (!items[i].is_free) continue;
    range.least = std::min(range.least, noise::least_integer_scale / base);
    range.greatest = std::min(range.greatest, noise::greatest_integer_scale / base * (1 - 0x1p-50));
  }
  return range;
}

double precision_of(const Pricing& pricing, Care care) {
  if (care == Care::rough) return rough_precision;
  return has_closed_form(pricing) ? closed_precision : usual_precision;
}

using Trial = numeric::ScaleTrial;  // of epsilon

class Search {
 public:
  Search(const Pricing& pricing, const Choice& choice, double epsilon, Care care)
      : pricing_(pricing),
        choice_(choice),
        epsilon_(epsilon),
        range_(range_of(pricing.items(), choice)),
        tightness_(tightness_of(care)),
        bracket_(precision_of(pricing, care)) {}

  Result<double> run(double guess) {
    Trial here = trial(std::clamp(guess, range_.least, range_.greatest));
    const bool starts_above = here.holds;
    while (here.holds == starts_above) {
      bracket_.put(here);
      const double end = starts_above ? range_.least : range_.greatest;
      if (here.at == end) return starts_above ? Result<double>(end) : nothing_left();
      here = trial(std::clamp(beyond(here), range_.least, range_.greatest));
    }
    bracket_.put(here);
    while (!bracket_.is_narrow()) bracket_.put(trial(bracket_.next()));
    return bracket_.yes().at;
  }

 private:
  Trial trial(double factor) const {
    const double found = pricing_.epsilon(choice_, factor, tightness_);
    return {factor, std::log(found / epsilon_), found <= epsilon_};
  }

  // Epsilon falls about as the factor grows: where it would be met, and a little further.
  static double beyond(Trial here) {
    const double step = std::clamp(std::fabs(here.excess) * 1.05 + 0.01, 0.0, 5.0);
    return here.at * std::exp(here.holds ? -step : step);
  }

  static Failure nothing_left() {
    return invalid("the budget leaves nothing for the columns without a target: no scale up to " +
                   shortest(noise::greatest_integer_scale) +
                   " makes their noise large enough; raise the budget, relax the targets, or declare narrower bounds");
  }

  const Pricing& pricing_;
  const Choice& choice_;
  double epsilon_;
  FactorRange range_;
  accounting::Tightness tightness_;
  numeric::ScaleBracket bracket_;
};

constexpr double rough_total = 1e-3;

}  // namespace

accounting::Tightness tightness_of(Care care) {
  return care == Care::full ? accounting::Tightness::usual() : accounting::Tightness::of(rough_total).value();
}

Result<double> least_factor(const Pricing& pricing, const Choice& choice, double epsilon, double guess, Care care) {
  return Search(pricing, choice, epsilon, care).run(guess);
}

namespace {

constexpr std::size_t most_enumerated = 5;  // classes of items whose 2^n choices are all tried
constexpr double a_tie = 1e-3;
constexpr int most_rounds = 3;

// Equal items, by their places.
using Class = std::vector<std::size_t>;

std::vector<Class> classes_of(const std::vector<NoiseItem>& items) {
  std::vector<Class> classes;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].is_choice || items[i].is_boxed || items[i].tables != nullptr) continue;  // it has one law
    const auto same = [&](const Class& known) { return items[known.front()] == items[i]; };
    const auto found = std::find_if(classes.begin(), classes.end(), same);
    if (found == classes.end()) {
      classes.push_back({i});
    } else {
      found->push_back(i);
    }
  }
  return classes;
}

void choose(Choice& choice, const Class& chosen, LawKind kind) {
  for (const std::size_t i : chosen) choice[i] = kind;
}

std::vector<Choice> every_choice(const std::vector<Class>& classes, std::size_t items) {
  std::vector<Choice> all;
  for (std::size_t bits = 0; bits < (std::size_t{1} << classes.size()); ++bits) {
    Choice choice = all_of(LawKind::discrete_gaussian, items);
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (((bits >> i) & 1U) != 0) choose(choice, classes[i], LawKind::geometric);
    }
    all.push_back(std::move(choice));
  }
  return all;
}

// The greatest loss of one number of the item with geometric noise; how many such numbers there are.
double loss_of(const NoiseItem& item, double factor) {
  return static_cast<double>(item.shift) / (item.base[0] * (item.is_free ? factor : 1));
}
double copies_of(const NoiseItem& item) {
  return static_cast<double>(item.keys ? item.keys->groups : item.coordinates);
}

// Geometric for the first 0, 1, 2, 3, 5, 8, ... classes by falling loss * copies^power, Gaussian for the others.
void add_prefixes(std::vector<Choice>& found, const Pricing& pricing, std::vector<Class> classes, double factor,
                  double power) {
  const auto rank = [&](const Class& one) {
    const NoiseItem& item = pricing.items()[one.front()];
    return loss_of(item, factor) * std::pow(copies_of(item) * static_cast<double>(one.size()), power);
  };
  std::stable_sort(classes.begin(), classes.end(), [&](const Class& a, const Class& b) { return rank(a) > rank(b); });
  Choice choice = all_of(LawKind::discrete_gaussian, pricing.items().size());
  std::size_t chosen = 0;
  for (std::size_t k = 1, next = 2; k < classes.size(); k = std::exchange(next, next + k)) {
    for (; chosen < k; ++chosen) choose(choice, classes[chosen], LawKind::geometric);
    found.push_back(choice);
  }
}

// The first of those of least epsilon, within a thousandth.
Choice cheapest_of(const std::vector<Choice>& tried, const Pricing& pricing, double factor) {
  if (tried.size() == 1) return tried.front();
  const Choice* best = &tried.front();
  const accounting::Tightness coarse = tightness_of(Care::rough);
  double least = pricing.epsilon(*best, factor, coarse);
  for (const Choice& choice : tried) {
    const double epsilon = &choice == best ? least : pricing.epsilon(choice, factor, coarse);
    if (epsilon >= least * (1 - a_tie)) continue;
    best = &choice;
    least = epsilon;
  }
  return *best;
}

// A choice, all in which one class of items has the other law, and the two with one law for all: many changes can pay
// together where none does alone.
std::vector<Choice> neighbours_of(const Choice& known, const Pricing& pricing) {
  std::vector<Choice> found = {known};
  if (pricing.delta().is_pure()) return found;
  for (const Class& one : classes_of(pricing.items())) {
    found.push_back(known);
    const bool is_geometric = known[one.front()] == LawKind::geometric;
    choose(found.back(), one, is_geometric ? LawKind::discrete_gaussian : LawKind::geometric);
  }
  for (const LawKind kind : {LawKind::geometric, LawKind::discrete_gaussian}) {
    found.push_back(all_of(kind, pricing.items().size()));
  }
  return found;
}

}  // namespace

Choice all_of(LawKind kind, std::size_t items) { return {items, kind}; }

std::vector<Choice> candidates(const Pricing& pricing, double factor) {
  const std::size_t items = pricing.items().size();
  std::vector<Choice> found = {all_of(LawKind::geometric, items)};
  if (pricing.delta().is_pure()) return found;
  const std::vector<Class> classes = classes_of(pricing.items());
  if (classes.size() <= most_enumerated) return every_choice(classes, items);
  found.push_back(all_of(LawKind::discrete_gaussian, items));
  for (const double power : {1.0, 0.0}) add_prefixes(found, pricing, classes, factor, power);
  return found;
}

Choice cheapest(const Pricing& pricing, double factor) {
  return cheapest_of(candidates(pricing, factor), pricing, factor);
}

Result<Allocation> allocation(const Pricing& pricing, double epsilon, const Allocation& first, Care care) {
  VERNIER_TRY(const auto start, least_factor(pricing, first.choice, epsilon, first.factor, care));
  Allocation best{first.choice, start};
  for (int round = 0; round < most_rounds; ++round) {
    const Choice choice = cheapest(pricing, best.factor);
    if (choice == best.choice) break;
    const auto factor = least_factor(pricing, choice, epsilon, best.factor, care);
    if (!factor || *factor >= best.factor) break;
    best = {choice, *factor};
  }
  return best;
}

Result<Allocation> nearby_allocation(const Pricing& pricing, double epsilon, const Choice& known, double guess) {
  Choice choice = known;
  for (int round = 0; round < most_rounds; ++round) {
    Choice better = cheapest_of(neighbours_of(choice, pricing), pricing, guess);
    if (better == choice) break;
    choice = std::move(better);
  }
  return least_factor(pricing, choice, epsilon, guess).map([&](double factor) {
    return Allocation{std::move(choice), factor};
  });
}

}  // namespace vernier::plan
