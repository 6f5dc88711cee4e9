#pragma once

#include <functional>
#include <span>

#include "vernier/audit/events.hpp"
#include "vernier/audit/finding.hpp"
#include "vernier/random/source.hpp"

// Draws of every law against its exact mass.
namespace vernier::audit {

// Fills a span with draws.
using Fill = std::function<Result<void>(std::span<std::int64_t>)>;

// What so many draws say of the law that they are said to have; repeated until the end.
Result<Finding> judged_draws(std::string claim, const IntegerLaw& law, const Fill& fill, const Timekeeper& time,
                             Timekeeper::Clock::time_point end);

// The finding of draws that were counted already.
Finding finding_on_draws(std::string claim, const IntegerLaw& law, std::span<const Event> events, std::int64_t trials,
                         std::string of);

// All laws of this installation, at scales that take each way through the samplers, in this part of the time.
Result<Section> audited_laws(const Timekeeper& time, double part);

// Choices by the exponential law against the exact chance of every candidate; repeated until the end: the two ends of a
// quantile's interval, and a quantile's value together with its interval.
Result<Finding> judged_ends(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end);
Result<Finding> judged_values(random::Source& source, const Timekeeper& time, Timekeeper::Clock::time_point end);

}  // namespace vernier::audit
