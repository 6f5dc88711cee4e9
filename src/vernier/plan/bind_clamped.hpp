#pragma once

#include "vernier/plan/bound_study.hpp"

// clamped_share = true: how many rows were moved to a bound, published beside what the bounds have changed.
namespace vernier::plan {

// Asks, for every different argument of SUM, AVG, VARIANCE, STDDEV, QUANTILE, MIN and MAX in which something can be
// moved to a bound, also COUNT(CASE WHEN IS_CLAMPED(x) THEN 1 END) AS <name>_clamped, with the name of the first that
// has the argument; not where the statement asks that itself. Refused where nothing can be moved, and where the name is
// taken.
Result<void> ask_clamped_counts(query::Query& query);

// Lets each of these measurements tell the column in which its moved rows are counted.
void name_clamped_counts(BoundStatistic& statistic);

// Whether it is such a count, which serves another column and takes a small part of the budget.
bool counts_clamped(const BoundStatistic& statistic, const Measurement& measurement);

// Its weight beside the other columns: their noise grows by a tenth at most. Beside COUNT(*) and AVG(x) at delta 0 it
// takes a twentieth of the budget, with Gaussian noise about a hundredth.
inline constexpr double clamped_weight = 0.1;

}  // namespace vernier::plan
