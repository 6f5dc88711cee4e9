#include "vernier/audit/binomial.hpp"

#include <algorithm>

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

bool is_surely_found_above(std::int64_t trials, double claim, double truth, double level, double missed) {
  const std::int64_t least = least_surprising(trials, claim, level);
  return least <= trials && chance_of_at_most({least - 1, trials}, truth) <= missed;
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

bool is_surely_found(std::int64_t trials, double claim, double truth, double level, double missed) {
  if (truth >= claim) return is_surely_found_above(trials, claim, truth, level, missed);
  return is_surely_found_above(trials, numeric::subtract_up(1, claim), numeric::subtract_down(1, truth), level, missed);
}

}  // namespace vernier::audit
