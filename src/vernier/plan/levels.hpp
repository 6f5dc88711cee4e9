#pragma once

#include "vernier/plan/bound_study.hpp"

// At which level each interval of a statistic holds.
namespace vernier::plan {

// The study's alpha; where all intervals of the statistic are to hold at once, what each of them may miss with so many
// groups (interval/simultaneous.md). Groups, and measurements with noise of their own, are independent; what shares
// noise is not, and of a population nothing is taken to be, since all columns rest on the same rows.
Result<Alpha> level_of(const BoundStatistic& statistic, std::size_t measurement, Alpha together, std::int64_t groups);

// The groups that there will be: of public keys all; of private ones nobody knows, and a plan speaks of one by itself.
std::int64_t planned_groups(const BoundStatistic& statistic);

// Those of a release with so many rows; one at least.
std::int64_t released_groups(const BoundStatistic& statistic, std::size_t rows);

}  // namespace vernier::plan
