#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/coverage/share.hpp"

// What a number of hits says, certified: every figure is a proven bound on the exact binomial law, not an estimate of
// it. audit.md has the proof.
namespace vernier::audit {

using coverage::Hits;

// Not below P[Binomial(trials, p) >= hits], nor P[Binomial(trials, p) <= hits]. 1 on the wrong side of the mean.
double chance_of_at_least(Hits hits, double p);
double chance_of_at_most(Hits hits, double p);

// Clopper and Pearson 1934, one side each: the chance of a hit is at least (at most) this, but for `level`.
double least_chance(Hits hits, double level);
double greatest_chance(Hits hits, double level);

// The level at which these hits speak against a chance that lies in the bounds, on both sides together.
double surprise(Hits hits, Bounds chance);

// Whether hits that have the chance `truth` are surprising at `level` to whoever claims `claim`, but for a chance of
// `missed` that they are not. Certain: where this says yes the chance of missing is at most that.
bool is_surely_found(std::int64_t trials, double claim, double truth, double level, double missed);

}  // namespace vernier::audit
