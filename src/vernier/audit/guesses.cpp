#include "vernier/audit/guesses.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "vernier/accounting/accountant.hpp"
#include "vernier/audit/finding.hpp"
#include "vernier/numeric/log_factorial.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::audit {
namespace {

using numeric::Ball;
using numeric::Precision;

// ln n! of 10^12 has 45 bits before the point; what is left is far below what a level is told to.
constexpr Precision precision{192};

Ball log_mass(Hits hits, double p) {
  const std::int64_t n = hits.trials, k = hits.hits;
  const Ball chance = Ball::of(p, precision);
  return log_factorial(n, precision) - log_factorial(k, precision) - log_factorial(n - k, precision) +
         Ball::of(k, precision) * log(chance) + Ball::of(n - k, precision) * log1p(-chance);
}

// Of two masses behind each other: P[k + 1] / P[k].
Ball ratio(Hits hits, double p) {
  const Ball chance = Ball::of(p, precision), one = Ball::of(1, precision);
  return Ball::of(hits.trials - hits.hits, precision) * chance / (Ball::of(hits.hits + 1, precision) * (one - chance));
}

// The least number of hits that is surprising at `level`; one more than there are trials where none is.
std::int64_t least_surprising(std::int64_t trials, double p, double level) {
  std::int64_t low = 0, high = trials + 1;  // `low` is not surprising
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (chance_of_at_least({middle, trials}, p) <= level ? high : low) = middle;
  }
  return high;
}

bool is_surely_found_above(std::int64_t trials, double claim, double truth, double level, double missed_chance) {
  const std::int64_t least = least_surprising(trials, claim, level);
  return least <= trials && chance_of_at_most({least - 1, trials}, truth) <= missed_chance;
}

}  // namespace

// Beyond the mean masses fall at least as fast as from k to k + 1: P[X >= k] <= P[X = k] / (1 - ratio(k)).
double chance_of_at_least(Hits hits, double p) {
  if (hits.hits <= 0 || p >= 1) return 1;
  if (hits.hits > hits.trials || p <= 0) return 0;
  const Ball r = ratio(hits, p), one = Ball::of(1, precision);
  if (!less(r, one).value_or(false)) return 1;
  return std::min(1.0, (exp(log_mass(hits, p)) / (one - r)).bounds().upper);
}

double chance_of_at_most(Hits hits, double p) {
  return chance_of_at_least({hits.trials - hits.hits, hits.trials}, numeric::subtract_up(1, p));
}

// P[X >= k] rises with p, so that every p at which it is certainly at most `level` is a lower bound.
double least_chance(Hits hits, double level) {
  double low = 0, high = static_cast<double>(hits.hits) / static_cast<double>(hits.trials);
  for (int i = 0; i < 60 && low < high; ++i) {
    const double middle = low + (high - low) / 2;
    (chance_of_at_least(hits, middle) <= level ? low : high) = middle;
  }
  return low;
}

double greatest_chance(Hits hits, double level) {
  return numeric::subtract_up(1, least_chance({hits.trials - hits.hits, hits.trials}, level));
}

double surprise(Hits hits, Bounds chance) {
  return std::min(1.0, 2 * std::min(chance_of_at_least(hits, chance.upper), chance_of_at_most(hits, chance.lower)));
}

bool is_surely_found(std::int64_t trials, double claim, double truth, double level, double missed_chance) {
  if (truth >= claim) return is_surely_found_above(trials, claim, truth, level, missed_chance);
  return is_surely_found_above(trials, numeric::subtract_up(1, claim), numeric::subtract_down(1, truth), level,
                               missed_chance);
}

namespace {

using numeric::divide_down;
using numeric::exp_up;
using numeric::log_down;
using numeric::multiply_up;
using numeric::subtract_down;
using numeric::subtract_up;

// Parts of the claimed epsilon; the first stands for 0, the distance in total variation.
constexpr std::array<double, 6> parts = {1e-6, 0.25, 0.5, 0.75, 1, 1.5};
constexpr double events = 2 * parts.size() + 2;  // in both directions, and at the claimed delta

std::int64_t number_from(const std::map<std::int64_t, std::int64_t>& seen, std::int64_t least) {
  std::int64_t hits = 0;
  for (auto at = seen.lower_bound(least); at != seen.end(); ++at) hits += at->second;
  return hits;
}

std::int64_t number_of(const std::map<std::int64_t, std::int64_t>& seen) {
  return seen.empty() ? 0 : number_from(seen, seen.begin()->first);
}

// "at least t", and turned round "at most shift - t" with the two sides exchanged: by symmetry of the law both have the
// same chances.
Split from(const Seen& seen, std::int64_t least) {
  return {{number_from(seen.with, least), number_of(seen.with)},
          {number_from(seen.without, least), number_of(seen.without)}};
}
Split up_to(const Seen& seen, std::int64_t most) {
  const auto hits = [&](const auto& side) {
    return Hits{number_of(side) - number_from(side, most + 1), number_of(side)};
  };
  return {hits(seen.without), hits(seen.with)};
}

// The least integer at which the law with the canary is e^epsilon times as likely as without it.
std::int64_t best_threshold(const mechanism::DiscreteGaussianMechanism& claim, double epsilon) {
  const auto shift = static_cast<double>(claim.sensitivity().value());
  const double scale = claim.law().scale();
  return static_cast<std::int64_t>(std::ceil(scale * scale * epsilon / shift + shift / 2));
}

// Hits that are at most (at least) so many, but for the chance `missed`.
std::int64_t fewest(std::int64_t trials, double p) {
  std::int64_t low = -1, high = trials;  // so few as `low` are rarer than that
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (chance_of_at_most({middle, trials}, p) <= missed / 2 ? low : high) = middle;
  }
  return std::max<std::int64_t>(low, 0);
}
std::int64_t most(std::int64_t trials, double p) { return trials - fewest(trials, subtract_down(1, p)); }

// Not below the delta of a choice of bounded range; 1 where the accountant has no answer.
double delta_of_choice(privacy::Epsilon epsilon, privacy::Epsilon at) {
  const auto found = accounting::Event::of(accounting::Choice{epsilon}, privacy::Neighbours::add_remove)
                         .and_then([](const accounting::Event& event) { return accounting::Accountant::of({event}); })
                         .and_then([&](const accounting::Accountant& one) { return one.delta(at); });
  return found ? found->bounds.upper : 1;
}

// At epsilon 0, by the choice that gives most away there: one of two points, each e^(epsilon / 2) times as likely as
// the other where the canary speaks for it.
bool refutes(privacy::Epsilon claim, double part, std::int64_t with, std::int64_t without, double level) {
  const double chance = 1 / (1 + std::exp(-claim.value() / (1 - part) / 2));
  const privacy::Epsilon at = privacy::Epsilon::of(parts[0]).value();
  if (with == 0 || without == 0) return false;
  const Split split{{fewest(with, chance), with}, {most(without, 1 - chance), without}};
  return least_delta(split, at.value(), level) > delta_of_choice(claim, at);
}

bool refutes(const mechanism::DiscreteGaussianMechanism& claim, double part, std::int64_t with, std::int64_t without,
             double level) {
  const auto law = Sigma::of(claim.law().scale() * (1 - part)).and_then(noise::DiscreteGaussian::of);
  const privacy::Epsilon epsilon = privacy::Epsilon::of(parts[0]).value();
  if (!law || with == 0 || without == 0) return false;
  const std::int64_t shift = claim.sensitivity().value(), threshold = best_threshold(claim, epsilon.value());
  const Split split{{fewest(with, law->tail(threshold - 1 - shift).lower), with},
                    {most(without, law->tail(threshold - 1).upper), without}};
  return least_delta(split, epsilon.value(), level) > claim.curve().delta(epsilon).upper;
}

}  // namespace

double least_epsilon(Guesses guesses, double level) {
  if (guesses.made == 0) return 0;
  const double right = least_chance({guesses.right, guesses.made}, level);
  if (right <= 0.5) return 0;
  return std::max(0.0, log_down(divide_down(right, subtract_up(1, right))));
}

double least_delta(const Split& split, double epsilon, double level) {
  if (split.with.trials == 0 || split.without.trials == 0) return 0;
  const double with = least_chance(split.with, level / 2), without = greatest_chance(split.without, level / 2);
  return std::max(0.0, subtract_down(with, multiply_up(exp_up(epsilon), without)));
}

double least_epsilon(const Split& split, double delta, double level) {
  if (split.with.trials == 0 || split.without.trials == 0) return 0;
  const double with = subtract_down(least_chance(split.with, level / 2), delta);
  const double without = greatest_chance(split.without, level / 2);
  return with <= 0 ? 0 : std::max(0.0, log_down(divide_down(with, without)));
}

bool Profile::refuted() const {
  return std::any_of(points.begin(), points.end(), [](const ProfilePoint& p) { return p.found > p.claimed; });
}

double Profile::nearest() const {
  double nearest = 0;
  for (const ProfilePoint& point : points) {
    if (point.claimed > 0) nearest = std::max(nearest, point.found / point.claimed);
  }
  return nearest;
}

Profile profile_of(const mechanism::DiscreteGaussianMechanism& claim, privacy::Epsilon epsilon, privacy::Delta delta,
                   const Seen& seen, double level) {
  const std::int64_t shift = claim.sensitivity().value();
  const double each = level / events;
  const privacy::PrivacyCurve curve = claim.curve();
  Profile profile{{}, 0};
  for (const double part : parts) {
    const privacy::Epsilon at = privacy::Epsilon::of(part * epsilon.value()).value();
    const std::int64_t threshold = best_threshold(claim, at.value());
    profile.points.push_back({at.value(), curve.delta(at).upper,
                              std::max(least_delta(from(seen, threshold), at.value(), each),
                                       least_delta(up_to(seen, shift - threshold), at.value(), each))});
  }
  const std::int64_t threshold = best_threshold(claim, epsilon.value());
  profile.epsilon = std::max(least_epsilon(from(seen, threshold), delta.value(), each),
                             least_epsilon(up_to(seen, shift - threshold), delta.value(), each));
  return profile;
}

Profile profile_of_choice(privacy::Epsilon epsilon, std::int64_t least, const Seen& seen, double level) {
  const double each = level / events;
  Profile profile{{}, 0};
  for (const double part : parts) {
    const privacy::Epsilon at = privacy::Epsilon::of(part * epsilon.value()).value();
    profile.points.push_back({at.value(), delta_of_choice(epsilon, at),
                              std::max(least_delta(from(seen, least), at.value(), each),
                                       least_delta(up_to(seen, least - 1), at.value(), each))});
  }
  profile.epsilon = std::max(least_epsilon(from(seen, least), 0, each), least_epsilon(up_to(seen, least - 1), 0, each));
  return profile;
}

namespace {

template <class Claim>
std::optional<double> least_part(const Claim& claim, std::int64_t with, std::int64_t without, double level) {
  std::optional<double> least;
  for (const double part : {0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01, 0.005}) {
    if (!refutes(claim, part, with, without, level / events)) break;
    least = part;
  }
  return least;
}

}  // namespace

std::optional<double> least_part_refuted(const mechanism::DiscreteGaussianMechanism& claim, std::int64_t with,
                                         std::int64_t without, double level) {
  return least_part(claim, with, without, level);
}

std::optional<double> least_part_refuted(privacy::Epsilon epsilon, std::int64_t with, std::int64_t without,
                                         double level) {
  return least_part(epsilon, with, without, level);
}

}  // namespace vernier::audit
