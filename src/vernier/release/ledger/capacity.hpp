#pragma once

#include <cstdint>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/plan/plan.hpp"

// What is left of a budget, told as "n more counts within ±a". capacity.md says why it is what a ledger would grant.
namespace vernier::release {

// A study of one count that a unit moves by 1, with a target of this accuracy: what `plan` makes of it.
struct CountStudy {
  std::int64_t accuracy;  // released ± this covers with probability 1 - alpha
  plan::Law law;          // that costs least
  double epsilon;         // of the study by itself, at the delta, rounded up
  privacy::Delta delta;
  ledger::Price price;
};

// The ways to ask for it: without a budget of its own, so that its total is stated at a tenth of the catalog's delta;
// and, where the catalog has a delta, with a budget of delta 0, which pays in epsilon alone. The opening is the
// catalog's.
Result<std::vector<CountStudy>> count_studies(const ledger::Rules& rules, std::int64_t accuracy, Alpha alpha,
                                              ledger::Opening opening = ledger::Opening::worthwhile);

// How many releases of one price the ledger grants from a balance, each chosen after the one before was answered.
std::int64_t times_within(const ledger::Rules& rules, ledger::Balance balance, const ledger::Price& price);

// The way that gives most, and how many.
struct Capacity {
  std::int64_t counts;
  CountStudy study;
};
Capacity capacity(const ledger::Rules& rules, const ledger::Balance& balance, const std::vector<CountStudy>& ways);

// Five round accuracies, the first of which is the least of 1, 2, 5, 10, ... for which a study fits into the balance,
// then about 2, 5, 10 and 100 times as much, each with its ways; none where not even the loosest fits.
Result<std::vector<std::vector<CountStudy>>> affordable_counts(const ledger::Rules& rules,
                                                               const ledger::Balance& balance, Alpha alpha,
                                                               ledger::Opening opening = ledger::Opening::worthwhile);

}  // namespace vernier::release
