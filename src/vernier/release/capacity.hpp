#pragma once

#include <cstdint>
#include <vector>

#include "vernier/ledger/price.hpp"
#include "vernier/plan/plan.hpp"

// What is left of a budget, told as "n more counts within ±a". capacity.md says why it is what a ledger would grant.
namespace vernier::release {

// A study of one count that a unit moves by 1: what `plan` makes of it where the study states this accuracy and no
// budget of its own.
struct CountStudy {
  std::int64_t accuracy;  // released ± this covers with probability 1 - alpha
  plan::Law law;          // that costs least
  double epsilon;         // of the study by itself, at the delta, rounded up
  privacy::Delta delta;
  ledger::Price price;
};
Result<CountStudy> count_study(const ledger::Rules& rules, std::int64_t accuracy, Alpha alpha);

// How many releases of one price the ledger grants from a balance, each chosen after the one before was answered.
std::int64_t times_within(const ledger::Rules& rules, ledger::Balance balance, const ledger::Price& price);

// Five round accuracies, the first of which is the least of 1, 2, 5, 10, ... for which a study fits into the balance,
// then about 2, 5, 10 and 100 times as much; none where not even the loosest fits.
Result<std::vector<CountStudy>> affordable_counts(const ledger::Rules& rules, const ledger::Balance& balance,
                                                  Alpha alpha);

}  // namespace vernier::release
