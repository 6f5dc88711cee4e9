#pragma once

#include "vernier/audit/finding.hpp"
#include "vernier/audit/timekeeper.hpp"
#include "vernier/random/source.hpp"

// Choices by the exponential law against the exact chance of every candidate; repeated until the end.
namespace vernier::audit {

// The two ends of a quantile's interval, and a quantile's value together with its interval.
Result<Finding> judged_ends(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end);
Result<Finding> judged_values(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end);

}  // namespace vernier::audit
