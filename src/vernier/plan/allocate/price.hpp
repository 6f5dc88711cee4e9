#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/plan/plan.hpp"

// What a study may spend, and what its measurements cost.
namespace vernier::plan {

// At this delta the total is stated: the study's own; without a budget of its own the usual one. Rounded down.
Result<privacy::Delta> delta_of(const BoundStudy& study);

// A tenth of the catalog's, rounded down.
Result<privacy::Delta> usual_delta(const numeric::Rational& catalog_delta);

// The total epsilon is not to exceed this: the study's own budget or else the catalog's, rounded down.
double ceiling_of(const BoundStudy& study);

// Refuses a study that asks for more than the catalog has.
Result<void> check_budget(const BoundStudy& study);

// "the budget has 1" or "the catalog has 3", and "delta 1e-07".
std::string described_ceiling(const BoundStudy& study);
std::string described_delta(const BoundStudy& study);

// From which noisy number of units on a private key is published. allocate.md has the argument.

// What a statistic with private keys may risk.
struct KeyRisk {
  std::int64_t touched;  // keys that differ between neighbours, at most
  double delta;          // the chance, at most, that any of them is published although one unit alone has it
};

// That chance at this threshold, rounded outward: 1 - (1 - escape)^touched.
Bounds escape_of_any(const Law& law, std::int64_t touched, std::int64_t threshold);

// The least threshold that is certified to keep within the risk.
Result<std::int64_t> least_threshold(const Law& law, KeyRisk risk);

// The measurements of a study as far as their price is concerned.

enum class LawKind : std::uint8_t { geometric, discrete_gaussian };
inline constexpr std::array<LawKind, 2> law_kinds = {LawKind::geometric, LawKind::discrete_gaussian};

// Of private keys: how many of them one unit may have, and what may be risked.
struct KeyTerms {
  std::int64_t groups;
  double delta;
  friend bool operator==(const KeyTerms&, const KeyTerms&) = default;
};

// `coordinates` numbers, or distances of a choice, that one unit moves by `shift` each. Both laws have the same
// accuracy at their base scales.
struct NoiseItem {
  std::int64_t shift;
  std::int64_t coordinates;
  std::array<double, 2> base;    // by LawKind
  bool is_free;                  // the scale is the base times the plan's factor; else the base itself, for a target
  std::optional<KeyTerms> keys;  // where these units choose private keys
  bool is_choice = false;        // of a quantile's ends: an exponential law, of the same base for either kind
  bool is_boxed = false;         // of several numbers at once: the noise of a box, of the same base for either kind
  // Of a [[table]]: all of its contrasts, whose noise grows with the scale of this law. One unit moves them as far, in
  // deviations, as it moves one number by 1 with discrete Gaussian noise of the scale, which it has for either kind.
  const BoundTables* tables = nullptr;

  // Of a box: a scale that meets the targets of some of its numbers, where the others share the budget.
  double greatest = std::numeric_limits<double>::infinity();

  friend bool operator==(const NoiseItem&, const NoiseItem&) = default;
};

// Where a measurement stands that is charged.
struct MeasuredPlace {
  std::size_t statistic;
  std::size_t measurement;
};
std::vector<MeasuredPlace> measured_places(const BoundStudy& study);

// Of each of them all that is drawn with its noise, itself first: copies, and what is charged with it.
std::vector<std::vector<MeasuredPlace>> members_of_items(const BoundStudy& study);

// One for each of these, in their order: with what is copied from it or charged with it (bind/sharing.hpp); and behind
// them one for each [[table]]. The strictest target of all of them is met by the largest scale that meets it; without
// one the base is shift / weight, in accuracy. An error that names the column where there is neither target nor budget,
// or where private keys meet delta 0.
Result<std::vector<NoiseItem>> items_of(const BoundStudy& study, privacy::Delta delta);

// The largest scale of each law with this accuracy in steps; where even the greatest scale has it, that one.
std::array<double, 2> scales_for(std::int64_t steps, Alpha alpha);

// The same with so many times as much of delta for the thresholds of private keys, which have half of it to begin with;
// and what the planner tries in its place, the greatest first: all of delta, and nine tenths.
std::vector<NoiseItem> with_risk_of_keys(std::vector<NoiseItem> items, double times);
inline constexpr std::array<double, 2> greater_risks_of_keys = {2, 1.8};

// The scale is kept within what the integer laws take: from below by moving it up; an error where it is above.
Result<Law> law_of(const NoiseItem& item, LawKind kind, double factor);

// What it gives away with this noise. `threshold` of private keys only.
Result<std::int64_t> threshold_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours);
Result<accounting::Event> event_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours);
// All of it; of contrasts there are many.
Result<std::vector<accounting::Event>> events_of(const NoiseItem& item, const Law& law, privacy::Neighbours neighbours);

// The laws of the contrasts at this scale; those that a record states, where it is one.
Result<table::Laws> contrast_laws(const BoundTables& tables, double scale);

// The same of a published column, for sentences: "people" of "income by region".
std::string described(const BoundStatistic& statistic, const Measurement& measurement);

using Choice = std::vector<LawKind>;  // one for every item

// What items cost together, by the exact total.
class Pricing {
 public:
  Pricing(std::vector<NoiseItem> items, privacy::Neighbours neighbours, privacy::Delta delta);

  const std::vector<NoiseItem>& items() const { return items_; }
  privacy::Neighbours neighbours() const { return neighbours_; }
  privacy::Delta delta() const { return delta_; }

  Result<std::vector<Law>> laws(const Choice& choice, double factor) const;
  Result<std::vector<accounting::Event>> events(const Choice& choice, double factor) const;
  Result<accounting::Guarantee> guarantee(const Choice& choice, double factor, accounting::Tightness tightness) const;

  // The upper end of epsilon; infinite where none is certified.
  double epsilon(const Choice& choice, double factor, accounting::Tightness tightness) const;

 private:
  std::vector<NoiseItem> items_;
  std::vector<std::size_t> first_equal_;  // of each item: the first that is equal to it, of which it has law and events
  privacy::Neighbours neighbours_;
  privacy::Delta delta_;
};

// Of each item the first that is equal to it.
std::vector<std::size_t> first_equal(const std::vector<NoiseItem>& items);

}  // namespace vernier::plan
