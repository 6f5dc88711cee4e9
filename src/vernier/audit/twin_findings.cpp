#include <algorithm>
#include <cmath>

#include "vernier/audit/finding.hpp"
#include "vernier/audit/laws.hpp"
#include "vernier/audit/twins.hpp"

namespace vernier::audit {
namespace {

double right_guesses(double epsilon) { return 1 / (1 + std::exp(-epsilon)); }

// The least true epsilon, as a multiple of the claim, at which so many guesses surely refute it.
std::string caught_by(const Guesses& guesses, double epsilon) {
  for (const double times : {1.01, 1.02, 1.03, 1.05, 1.07, 1.1, 1.15, 1.2, 1.3, 1.5, 2.0, 3.0}) {
    if (is_surely_found(guesses.made, right_guesses(epsilon), right_guesses(times * epsilon), each_level, missed)) {
      return "an epsilon of " + words_of(times * epsilon) + " in place of " + words_of(epsilon);
    }
  }
  return "nothing: too few guesses";
}

std::string bound_words(const char* what, double found, double claimed) {
  return std::string(what) + " is " + words_of(found) + " at least; " + words_of(claimed) + " is claimed" +
         (found > claimed ? ", which is refuted" : "");
}

Finding of_guesses(const TwinCase& twin, const TwinTally& tally) {
  const double found = least_epsilon(tally.guesses, each_level);
  const Verdict unrefuted = found >= least_nearness * tally.epsilon ? Verdict::stands : Verdict::powerless;
  return {.claim = twin.claim,
          .trials = tally.guesses.made,
          .of = "guesses",
          .outcome = bound_words("epsilon", found, tally.epsilon),
          .caught = caught_by(tally.guesses, tally.epsilon),
          .verdict = found > tally.epsilon ? Verdict::refuted : unrefuted,
          .claimed = tally.epsilon,
          .found = found};
}

// All numbers have one law, or those of a group share a box.
std::vector<Finding> on_noise(const TwinCase& twin, const TwinTally& tally) {
  const Column& first = tally.columns.front();
  const bool is_one = std::all_of(tally.columns.begin(), tally.columns.end(), [&](const Column& other) {
    return other.mechanism == first.mechanism && other.scale == first.scale;
  });
  if (!is_one || tally.noises.width == 0) return {};
  if (first.mechanism == "box" && tally.noises.width > 1) {
    return findings_on(twin.claim, tally.noises, BoxLaw{first.scale, tally.half, tally.noises.width});
  }
  const std::optional<IntegerLaw> law = first.law();
  return law ? findings_on(twin.claim, tally.noises, *law) : std::vector<Finding>{};
}

std::vector<Finding> on_guesses(const TwinCase& twin, const TwinTally& tally) {
  std::vector<Finding> all = {of_guesses(twin, tally)};
  for (Finding& one : on_noise(twin, tally)) all.push_back(std::move(one));
  return all;
}

// ---- a profile

std::int64_t number_of(const std::map<std::int64_t, std::int64_t>& seen) {
  std::int64_t all = 0;
  for (const auto& [value, hits] : seen) all += hits;
  return all;
}

std::vector<Finding> on_profile(const TwinCase& twin, const TwinTally& tally) {
  const Column& column = tally.columns.front();
  const std::optional<IntegerLaw> law = column.law();
  const auto claim = Sigma::of(column.scale).and_then([&](Sigma scale) {
    return mechanism::DiscreteGaussianMechanism::at_scale(scale,
                                                          privacy::IntegerSensitivity::of(column.sensitivity).value());
  });
  if (!law || !std::holds_alternative<noise::DiscreteGaussian>(*law) || !claim) {
    return {{.claim = twin.claim,
             .trials = 0,
             .of = "numbers",
             .outcome = "the record states no discrete Gaussian law",
             .caught = "",
             .verdict = Verdict::powerless}};
  }
  const Profile profile = profile_of(*claim, privacy::Epsilon::of(tally.epsilon).value(),
                                     privacy::Delta::of(tally.delta).value(), tally.seen, each_level);
  const ProfilePoint& first = profile.points.front();
  const bool is_refuted = profile.refuted() || profile.epsilon > tally.epsilon;
  const Verdict unrefuted = profile.nearest() >= least_nearness ? Verdict::stands : Verdict::powerless;
  const std::optional<double> part =
      least_part_refuted(*claim, number_of(tally.seen.with), number_of(tally.seen.without), each_level);
  std::vector<Finding> all = {
      {.claim = twin.claim + ": its whole profile",
       .trials = number_of(tally.seen.with) + number_of(tally.seen.without),
       .of = "numbers",
       .outcome = bound_words("delta at epsilon 0", first.found, first.claimed) + "; " +
                  bound_words(("epsilon at delta " + words_of(tally.delta)).c_str(), profile.epsilon, tally.epsilon),
       .caught = part ? "a scale too small by " + percent_words(*part) : "nothing: too few numbers",
       .verdict = is_refuted ? Verdict::refuted : unrefuted,
       .claimed = tally.epsilon,
       .found = profile.epsilon}};
  for (Finding& one : on_noise(twin, tally)) all.push_back(std::move(one));
  return all;
}

// ---- private keys

// P[1 + noise >= threshold].
Bounds publishing_chance(const IntegerLaw& law, double threshold) {
  return std::visit([&](const auto& one) { return one.tail(static_cast<std::int64_t>(threshold) - 2); }, law);
}

std::vector<Finding> on_keys(const TwinCase& twin, const TwinTally& tally) {
  const std::optional<IntegerLaw> law = tally.columns.front().law();
  if (!law || !tally.threshold) {
    return {{.claim = twin.claim,
             .trials = tally.canaries,
             .of = "keys",
             .outcome = std::to_string(tally.published) + " keys of one unit were published, and the record states no "
                                                          "threshold for them",
             .caught = "",
             .verdict = tally.published > 0 ? Verdict::refuted : Verdict::powerless}};
  }
  const Hits hits{tally.published, tally.canaries};
  const Bounds chance = publishing_chance(*law, *tally.threshold);
  const double found = least_chance(hits, each_level / 2), level = surprise(hits, chance);
  const bool sees_lower = is_surely_found(tally.canaries, chance.upper,
                                          publishing_chance(*law, *tally.threshold - 1).lower, each_level / 2, missed);
  const bool is_refuted = found > tally.delta || level <= each_level / 2;
  const Verdict unrefuted = found >= least_nearness * chance.lower && sees_lower ? Verdict::stands : Verdict::powerless;
  return {{.claim = twin.claim,
           .trials = tally.canaries,
           .of = "keys",
           .outcome = bound_words("the chance of a key of one unit", found, chance.upper),
           .caught = sees_lower ? "a threshold that is too low by one" : "nothing: too few keys",
           .verdict = is_refuted ? Verdict::refuted : unrefuted,
           .claimed = chance.upper,
           .found = found,
           .level = level}};
}

// ---- choices

std::vector<Finding> on_choice(const TwinCase& twin, const TwinTally& tally) {
  const privacy::Epsilon epsilon = privacy::Epsilon::of(tally.epsilon).value();
  const Profile profile = profile_of_choice(epsilon, upper_point, tally.seen, each_level);
  const ProfilePoint& first = profile.points.front();
  const bool is_refuted = profile.refuted() || profile.epsilon > tally.epsilon;
  const Verdict unrefuted = profile.nearest() >= least_nearness ? Verdict::stands : Verdict::powerless;
  const std::int64_t with = number_of(tally.seen.with), without = number_of(tally.seen.without);
  const std::optional<double> part = least_part_refuted(epsilon, with, without, each_level);
  return {{.claim = twin.claim,
           .trials = with + without,
           .of = "choices",
           .outcome = bound_words("delta at epsilon 0", first.found, first.claimed) + " of a bounded range of " +
                      words_of(tally.epsilon),
           .caught = part ? "a scale too small by " + percent_words(*part) : "nothing: too few choices",
           .verdict = is_refuted ? Verdict::refuted : unrefuted,
           .claimed = first.claimed,
           .found = first.found}};
}

}  // namespace

std::vector<Finding> findings_on(const TwinCase& twin, const TwinTally& tally) {
  switch (twin.kind) {
    case Kind::guesses:
      return on_guesses(twin, tally);
    case Kind::profile:
      return on_profile(twin, tally);
    case Kind::keys:
      return on_keys(twin, tally);
    case Kind::choice:
      return on_choice(twin, tally);
  }
  return {};
}

}  // namespace vernier::audit
