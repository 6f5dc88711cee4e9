#pragma once

#include <functional>
#include <span>

#include "vernier/plan/statistic/parts.hpp"

// Sums that are made from the node sums of moments, whose steps cannot be made finer: their intervals allow for the
// rounding of as many rows, or members of the population, as there can be, but for a small part of alpha. rounding.md
// has the proof.
namespace vernier::plan {

// How far rounding moves the value of one member, and cutting its part of a unit's sum, as published.
double moved_by_member(const Measured& in);

// Whether it is a sum that is made from moments and rounded.
bool is_rounded_moment_sum(const Measured& in);

// Parts of a level: for the sum, and for the number of rows behind it.
struct SumLevels {
  Alpha of_sum, of_rows;
};
Result<SumLevels> sum_levels(Alpha level);

// How far the sum of the rows, or of the population, may be from that of the steps, from the noisy node sums.
using SumReach = std::function<double(std::span<const std::int64_t> noisy)>;
SumReach sum_reach(const Measured& in, const AdditiveLaw& law, Alpha of_rows);

// Of a sum that lies so far from what was found, at most: within what the signs of its values allow.
Estimate widened_sum(const Measurement& one, Estimate found, double by);

}  // namespace vernier::plan
