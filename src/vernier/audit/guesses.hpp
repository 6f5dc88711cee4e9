#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/coverage/share.hpp"
#include "vernier/mechanism/discrete_gaussian.hpp"

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
// `missed_chance` that they are not. Certain: where this says yes the chance of missing is at most that.
bool is_surely_found(std::int64_t trials, double claim, double truth, double level, double missed_chance);

// Lower bounds on the privacy loss of releases, from what was seen of them. audit.md says what each assumes.

// Guesses whether a coin put a canary into the data, of those who did not abstain. Under epsilon-privacy the right
// ones are at most Binomial(guesses, e^epsilon / (1 + e^epsilon)), however the outputs hang together (Steinke, Nasr
// and Jagielski 2023).
struct Guesses {
  std::int64_t made = 0;
  std::int64_t right = 0;
};

// epsilon is at least this, but for `level`; 0 where nothing is certain.
double least_epsilon(Guesses guesses, double level);

// What was released with a canary and without it.
struct Seen {
  std::map<std::int64_t, std::int64_t> with, without;
};

// How often an event happened with the canary and without it.
struct Split {
  Hits with, without;
};

// delta at this epsilon is at least this, but for `level`: P[S with] - e^epsilon P[S without], each by Clopper and
// Pearson. Of independent outputs.
double least_delta(const Split& split, double epsilon, double level);

// Likewise epsilon where this delta is claimed (Jagielski, Ullman and Oprea 2020).
double least_epsilon(const Split& split, double delta, double level);

// A profile delta(epsilon), tried at several epsilons by the events that the stated law makes best.
struct ProfilePoint {
  double epsilon;
  double claimed;  // not below the delta of the law
  double found;    // a lower bound, of both directions the greater one
};
struct Profile {
  std::vector<ProfilePoint> points;
  double epsilon;          // a lower bound at the claimed delta
  bool refuted() const;    // at one of the points
  double nearest() const;  // the greatest found / claimed
};
Profile profile_of(const mechanism::DiscreteGaussianMechanism& claim, privacy::Epsilon epsilon, privacy::Delta delta,
                   const Seen& seen, double level);

// Of a choice of bounded range (accounting/loss/choice_loss.md), by the event that its value is `least` or more.
Profile profile_of_choice(privacy::Epsilon epsilon, std::int64_t least, const Seen& seen, double level);

// The least of some parts by which the scale may be smaller than claimed so that so many outputs with the canary and
// without it surely refute the profile; none where half of it would pass.
std::optional<double> least_part_refuted(const mechanism::DiscreteGaussianMechanism& claim, std::int64_t with,
                                         std::int64_t without, double level);

// Likewise of a choice that would reach what bounded range allows.
std::optional<double> least_part_refuted(privacy::Epsilon epsilon, std::int64_t with, std::int64_t without,
                                         double level);

}  // namespace vernier::audit
