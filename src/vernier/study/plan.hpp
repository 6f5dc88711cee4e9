#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/progress.hpp"
#include "vernier/ledger/ledger.hpp"
#include "vernier/plan/plan.hpp"
#include "vernier/study/release.hpp"
#include "vernier/study/study.hpp"

namespace vernier::study {

// One kind of budget as a plan meets it, in exact decimals.
struct LedgerAmount {
  std::string_view name;  // "epsilon"
  numeric::Rational allowed;
  numeric::Rational left;
  numeric::Rational price;  // in all
  numeric::Rational once;   // of the price: what opening the conversion takes
};

// What the ledger of a catalog has left, and what of it a plan would take.
struct LedgerState {
  std::string name;
  bool exists;
  std::vector<LedgerAmount> amounts;
  bool is_affordable;
  ledger::Manner manner;
  std::optional<ledger::Room> room;  // what opening the conversion buys, where the study would
};

// What another total epsilon, another delta or another accuracy of one column would buy: the accuracies of all
// measurements, in the order of the plan.
struct WhatIf {
  double epsilon;  // of the whole study then
  std::vector<double> accuracies;
  std::string changed = "epsilon";               // or "delta", "max_rows", or the column as `what_if_keys` names it
  double value = 0;                              // that it has in place of the study's; of epsilon that is above
  std::vector<std::vector<double>> tables = {};  // the same of each [[table]]'s tables
};

// What a study will cost and how accurate it will be. Only a study makes one, so that what is released is what was
// asked, and only a plan is released.
class Plan {
 public:
  const Study& study() const { return study_; }
  const plan::Plan& content() const { return content_; }

  // What the ledger has left, for the analyst where one is named and there are shares. Nothing is written.
  Result<LedgerState> ledger(const std::string& analyst = {}) const;

  Result<std::vector<WhatIf>> at(const std::vector<privacy::Epsilon>& epsilons,
                                 const Progress& progress = nobody_watches) const;

  // The same for another delta of the study, another max_rows of its statistics, or another accuracy of a column; and
  // what can be named so: "delta", "max_rows" where the unit is a column, and published columns, where two statistics
  // have one of a name as "statistic.column".
  Result<std::vector<WhatIf>> at_other(const std::string& key, const std::vector<numeric::Rational>& values,
                                       const Progress& progress = nobody_watches) const;
  std::vector<std::string> what_if_keys() const;

  // Looks whether all data is there and has the declared columns, and the folder is free; reserves the price; runs the
  // statements on the embedded engine; adds noise; stores the documents, writes and answers them. Whatever can fail
  // without data fails before budget is spent; whatever fails later, the budget stays spent.
  Result<Answer> release(const Request& request = {}) const;

 private:
  friend struct Study;
  Plan(Study study, plan::Plan content) : study_(std::move(study)), content_(std::move(content)) {}

  Study study_;
  plan::Plan content_;
};

}  // namespace vernier::study
