#pragma once

#include "vernier/plan/statistic/pair.hpp"

// Slopes, intercepts, correlations and sums about the means of values between steps: how far they are from those of the
// steps, where something is known of the spreads. rounding.md has the proof.
namespace vernier::plan {

// Whether it is one of these, and x or y may lie between steps.
bool is_rounded_relation(const Measurement& one);

// Of the steps: deviations, divided by n, that x and y have at least, and rows that there are at most.
struct KnownSpreads {
  double least_x, least_y, rows;
};

// Where the relation of the values lies if that of the steps lies here. Beyond these ends lies what no one needs to
// know: where x may hardly differ at all its slope can be anything.
inline constexpr double steepest = 1e300;
interval::Interval widened_relation(const Measurement& one, const interval::Interval& found, const KnownSpreads& known);

// The same of an estimate, whose value stays.
Estimate widened_estimate(const Measurement& one, Estimate found, const KnownSpreads& known);

}  // namespace vernier::plan
