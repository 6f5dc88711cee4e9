#pragma once

#include <cstdint>

#include "vernier/plan/statistic/parts.hpp"

// Sums of values between steps, and of parts of units: they are added up in steps so much finer than those of the
// noise that what rounding takes from all rows together is known, and small. rounding.md has the proof.
namespace vernier::plan {

// Into how many fine steps a step of the argument at this place is parted before it is added up, as a power of two; 0
// where a sum of it is exact, or nobody publishes one.
int halvings_of(const BoundStatistic& statistic, std::size_t argument);

// The same argument in these fine steps, and in the finest ones in which a value has no rounding error of its own.
Argument finer(const Argument& x, int halvings);
Argument in_finest_steps(const Argument& x);

// How far rounding can move a sum that is published: of all rows that the limit allows, in steps of the noise, and as
// published. 0 of what is exact, and of moments, whose interval counts the rows (moment_sum.hpp).
std::int64_t rounded_steps(const Measured& in);
double sum_rounding(const Measured& in);

// Whether it is a sum of values between steps, or of parts of units.
bool is_sum_of_rounded(const Measured& in);

}  // namespace vernier::plan
