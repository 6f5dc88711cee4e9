#pragma once

#include "vernier/core/files_say.hpp"
#include "vernier/core/text.hpp"
#include "vernier/plan/statistic/mean.hpp"
#include "vernier/plan/statistic/parts.hpp"

// Intervals of a population that are not proven were looked for in exact searches (tests/coverage/worst_case), down to
// an alpha below which nothing is claimed.
namespace vernier::plan {

inline constexpr double least_searched_alpha = 1e-12;

// Whether its interval is of a population, and rests on a search.
inline bool is_tested(const Measured& in) {
  if (!in.is_of_population() || is_in_ranks(in.one.figure)) return false;
  if (in.one.figure == Figure::count) return in.is_weighted();
  const bool is_proven_mean = in.statistic.inference.is_guaranteed || in.one.kind == Mean::kind;
  return in.one.figure != Figure::mean || !is_proven_mean;
}

// Nothing is told of what nobody looked at.
inline Result<void> check_searched(const Measured& in, Alpha alpha) {
  if (!is_tested(in) || alpha.value() >= least_searched_alpha) return {};
  return invalid(
      "has an interval for a population that rests on a search down to an alpha of 1e-12, but is asked for at " +
      shortest(alpha.value()) + "; take a larger alpha, or " + toml("guaranteed = true") + " of AVG");
}

}  // namespace vernier::plan
