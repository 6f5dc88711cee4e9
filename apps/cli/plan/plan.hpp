#pragma once

#include <vector>

#include "cli/decimal.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/study/plan.hpp"

namespace vernier::cli {

using study::WhatIf;

// What a max_rows would cut off, as was found for a table.
struct CutOff {
  std::int64_t max_rows;
  double share_more_at_most;  // of the units
  double rows;                // about
};

struct PlanAnswer {
  study::Plan plan;
  study::LedgerState ledger;
  std::vector<WhatIf> what_if;
  std::vector<CutOff> cut_off;  // as many as there are points, where they are those of a table
};

// From limits.json, of a table that the study asks about.
Result<std::vector<CutOff>> read_limits(const std::string& path, const study::Study& study);

// What the study will cost, and what the ledger has left for the analyst, where one is named; and the accuracies at
// each of these epsilons.
Result<PlanAnswer> plan_of(const study::Study& study, const std::string& analyst = {},
                           const std::vector<Decimal>& what_if = {});
// The same at each value of an epsilon, a delta, or the accuracy of a column: KEY=FIRST:LAST:POINTS, or nothing.
Result<PlanAnswer> plan_at(const study::Study& study, const std::string& analyst, const std::string& what_if,
                           const std::string& option);
inline constexpr long long most_what_if_points = 100;

// Accuracy against the total epsilon, a curve for every published column, through these points (at least two,
// ascending).
plot::Chart plan_chart(const PlanAnswer& answer, const std::vector<WhatIf>& points);
// The same through the points that were asked, or a factor of five to either side of what the study costs.
Result<plot::Chart> drawn_plan(const PlanAnswer& answer, const Progress& progress);

void write_plan_report(Output& output, const PlanAnswer& answer);
void write_plan_json(Output& output, const PlanAnswer& answer);

}  // namespace vernier::cli
