#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/noise/integer_scale.hpp"
#include "vernier/numeric/crossing.hpp"
#include "vernier/numeric/search.hpp"

namespace vernier::mechanism {

using noise::greatest_integer_scale;
using noise::least_integer_scale;
using numeric::Excess;

namespace {

constexpr double apart = 0x1p-41;  // between the returned scale and one that is too small, relatively: 4.5e-13

// The stretches between the kinks of delta as a function of ln(scale): stretch j has floor(t) = j.
struct Search {
  double epsilon;
  double sensitivity;
  double target;

  bool holds(double scale) const { return delta_is_at_most({scale, sensitivity, epsilon}, target); }

  // ln(delta / target) at a logarithm of the scale; a guide, no certificate.
  Excess at(double log_scale) const {
    const double scale = std::clamp(std::exp(log_scale), least_integer_scale, greatest_integer_scale);
    return {log_scale, estimated_log_delta({scale, sensitivity, epsilon}) - std::log(target)};
  }

  // Where (t / s) = z: the root of epsilon s^2 - z D s - D^2 / 2.
  double scale_at(double z) const { return sensitivity * (z + std::sqrt(z * z + 2 * epsilon)) / (2 * epsilon); }

  // From here on all scales satisfy the budget, since delta <= exp(-t^2 / (2 s^2)).
  double enough() const { return scale_at(std::sqrt(-2 * std::log(target))) * (1 + 0x1p-48); }

  // ln of the scale at which t = j, a hair to its right: delta may jump by powers of ten within an ulp to the left.
  double kink(std::int64_t j) const {
    const double square = sensitivity * (static_cast<double>(j) + 0.5 * sensitivity) / epsilon;
    return 0.5 * std::log(square) + 0x1p-49;
  }
};

// Whether a stretch that begins here only falls, and begins so far below the target that no flat start hides a rise.
bool only_falls(const Search& search, const Excess& first, double width) {
  return first.excess < -0.01 && search.at(first.x + 2e-4 * width).excess <= search.at(first.x + 1e-4 * width).excess;
}

// A point of a stretch where delta exceeds the target, if there is one: where it is greatest, by golden section, or
// any other that is met on the way. Each stretch rises and then falls, or only falls. Within 1e-11 of the greatest
// point ln(delta) is its maximum but for the rounding of doubles.
std::optional<Excess> exceeding_point(const Search& search, std::int64_t j) {
  double left = search.kink(j), right = search.kink(j + 1);
  const Excess first = search.at(left);
  if (first.excess > 0) return first;
  if (only_falls(search, first, right - left)) return std::nullopt;
  constexpr double golden = std::numbers::phi - 1;
  Excess low = search.at(right - golden * (right - left)), high = search.at(left + golden * (right - left));
  while (right - left > 1e-11) {
    if (low.excess > 0) return low;
    if (high.excess > 0) return high;
    if (low.excess > high.excess) {
      right = high.x;
      high = low;
      low = search.at(right - golden * (right - left));
    } else {
      left = low.x;
      low = high;
      high = search.at(left + golden * (right - left));
    }
  }
  return std::nullopt;
}

// A point below `right` where delta exceeds the target. At the least scale it is nearly 1.
Excess exceeding_below(const Search& search, double right) {
  const double least = std::log(least_integer_scale);
  for (double step = 0.5;; step *= 2) {
    const double x = std::max(right - step, least);
    const Excess point = search.at(x);
    if (point.excess > 0 || x <= least) return point;
  }
}

double crossing_between(const Search& search, const Excess& left, const Excess& right) {
  const double noise = 0x1p-50 * (1 - std::log(search.target));
  const numeric::CrossingTolerance tolerance{.relative = 0, .absolute = 1e-14, .excess = noise};
  return std::exp(numeric::approximate_crossing([&](double x) { return search.at(x).excess; }, left, right, tolerance));
}

// epsilon <= 0.8 D: delta falls with the scale.
double crossing_when_falling(const Search& search) {
  const double right = std::log(std::min(search.enough(), greatest_integer_scale));
  return crossing_between(search, exceeding_below(search, right), search.at(right));
}

// Otherwise: the last stretch that exceeds the target, and there the falling side. Below the first kink, where t < 0,
// delta falls.
double crossing_over_stretches(const Search& search) {
  const double enough = search.enough();
  const auto stretch_of = [&](double scale) {
    const double t = search.epsilon * scale * scale / search.sensitivity - 0.5 * search.sensitivity;
    return static_cast<std::int64_t>(std::max(t, 0.0));
  };
  const auto satisfied = [&](std::int64_t j) { return !exceeding_point(search, j); };
  const double likely = search.scale_at(std::sqrt(std::max(-2 * std::log(4 * search.target), 0.0)));
  const numeric::IntegerRange range{0, stretch_of(enough) + 1};
  const std::int64_t j = numeric::least_integer(satisfied, stretch_of(likely), range).value_or(range.last);
  const Excess right = search.at(search.kink(j));
  const std::optional<Excess> before = j > 0 ? exceeding_point(search, j - 1) : std::nullopt;
  return crossing_between(search, before ? *before : exceeding_below(search, right.x), right);
}

Failure beyond(const Search& search) {
  return invalid("epsilon " + shortest(search.epsilon) + " and delta " + shortest(search.target) + " at sensitivity " +
                     shortest(search.sensitivity) + " need a scale above " + shortest(greatest_integer_scale) +
                     ", the greatest of an integer law",
                 "allow a larger epsilon or delta");
}

}  // namespace

Result<double> least_discrete_gaussian_scale(privacy::Epsilon epsilon, privacy::Delta delta,
                                             privacy::IntegerSensitivity sensitivity) {
  const Search search{epsilon.value(), static_cast<double>(sensitivity.value()), delta.value()};
  if (!(search.enough() <= greatest_integer_scale) && !search.holds(greatest_integer_scale)) return beyond(search);
  const bool falls = search.epsilon <= 0.8 * search.sensitivity;
  const double guess = falls ? crossing_when_falling(search) : crossing_over_stretches(search);
  const numeric::Bracket known{least_integer_scale, std::min(search.enough(), greatest_integer_scale)};
  const auto holds = [&](double scale) { return search.holds(scale); };
  return numeric::certified_crossing(holds, known, guess, apart).yes;
}

}  // namespace vernier::mechanism
