#include <algorithm>
#include <cmath>

#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/numeric/crossing.hpp"

namespace vernier::mechanism {

using numeric::Ball;
using numeric::Precision;

namespace {

constexpr double apart = 0x1p-41;  // of the two sides, relatively: 4.5e-13

// delta falls with epsilon, strictly while it is positive, and is convex: it is the greatest of P - e^epsilon Q over
// all events. One scale and sensitivity, one target.
struct Search {
  DiscreteGaussianPoint at;
  double target;

  DiscreteGaussianPoint with(double epsilon) const { return {at.scale, at.sensitivity, epsilon}; }
  bool holds(double epsilon) const { return delta_is_at_most(with(epsilon), target); }

  // ln(delta / target); only its sign and rough size matter.
  double excess(double epsilon) const { return estimated_log_delta(with(epsilon)) - std::log(target); }

  // An epsilon that suffices: delta <= exp(-t^2 / (2 s^2)) for t >= 0.
  double enough() const {
    const double ratio = at.sensitivity / at.scale;
    return (ratio * std::sqrt(-2 * std::log(target)) + 0.5 * ratio * ratio) * (1 + 0x1p-48);
  }

  // Doubles know delta, but not on which side of the target it lies.
  bool too_flat_for_doubles(double epsilon) const {
    const std::optional<Bounds> delta = fast_delta(with(epsilon));
    return delta && delta->upper > target && delta->lower <= target;
  }
};

// One step of Newton's method with balls: exact where delta is so flat that doubles no longer tell epsilon.
double newton_step(const Search& search, double epsilon) {
  constexpr Precision precision{256};
  const std::optional<DeltaWithSlope> delta = delta_with_slope(search.with(epsilon), precision);
  if (!delta) return 0;
  return ((delta->value - Ball::of(search.target, precision)) / delta->fall).nearest();
}

// From any start the first step lands at or below the least epsilon, and all others climb towards it.
double polished(const Search& search, double guess) {
  double epsilon = guess;
  for (int i = 0; i < 10; ++i) {
    const double step = newton_step(search, epsilon);
    if (!std::isfinite(step)) return guess;
    epsilon = std::max(epsilon + step, 0.0);
    if (std::fabs(step) <= 0x1p-50 * epsilon) return epsilon;
  }
  return guess;
}

double approximate_epsilon(const Search& search, double enough) {
  constexpr numeric::CrossingTolerance tolerance{.relative = 4e-15, .absolute = 0, .excess = 1e-15};
  const double guess = numeric::approximate_crossing([&](double epsilon) { return search.excess(epsilon); },
                                                     {0, search.excess(0)}, {enough, search.excess(enough)}, tolerance);
  const bool flat = search.too_flat_for_doubles(guess * (1 - numeric::first_certified_step)) ||
                    search.too_flat_for_doubles(guess * (1 + numeric::first_certified_step));
  return flat ? polished(search, guess) : guess;
}

}  // namespace

Bounds least_discrete_gaussian_epsilon(double scale, privacy::IntegerSensitivity sensitivity, double delta) {
  const Search search{{scale, static_cast<double>(sensitivity.value()), 0}, delta};
  if (search.holds(0)) return {0, 0};
  const double enough = search.enough();
  const auto holds = [&](double epsilon) { return search.holds(epsilon); };
  const numeric::Bracket least =
      numeric::certified_crossing(holds, {0, enough}, approximate_epsilon(search, enough), apart);
  return {least.no, least.yes};
}

}  // namespace vernier::mechanism
