#include "vernier/accounting/loss_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vernier/accounting/fourier/inversion.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using fourier::Inversion;
using fourier::Tilt;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_attempts = 8;
constexpr double most_values = 3e6;  // of phi, in one preparation
constexpr double margin = 0.45;      // of the gap asked for, to the kernels; the rest is for round-off and for rounds

// Both kernels together leave this gap in epsilon.
double kernel_gap(double eta, double theta) { return (1 + theta) * eta * eta; }

// The eta for a gap. Wider kernels than 0.3 or 3 / (1 + theta) stop being close to the hinge.
double eta_for(double gap, double theta) { return std::min({std::sqrt(gap / (1 + theta)), 0.3, 3 / (1 + theta)}); }

// The preparation, with wider kernels where the work would be too much.
std::optional<Inversion> prepare(const std::vector<LossPart>& parts, const Tilt& tilt, double& eta) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    if (std::optional<Inversion> made = Inversion::prepare(parts, tilt, eta, most_values)) return made;
    eta = std::min(4 * eta, 3 / (1 + tilt.theta));
  }
  return std::nullopt;
}

// About where a falling function comes to 0, by secants from a start with a known slope.
template <class Function>
double approximate_root(const Function& value, double start, double slope) {
  double x = start, y = value(x);
  for (int step = 0; step < 40 && std::isfinite(y); ++step) {
    const double next = x - y / slope;
    if (!(std::fabs(next - x) > 1e-14 * (std::fabs(x) + std::fabs(next)))) return next;
    const double y_next = value(next);
    const double secant = (y_next - y) / (next - x);
    if (secant < 0 && std::isfinite(secant)) slope = secant;
    x = next;
    y = y_next;
  }
  return x;
}

// From x outward (sign +1 or -1) until `holds` does, infinite where it never does. The law's weight e^(-theta u)
// changes by e with each 1 / theta, so steps grow to that, stay there for a while, and grow again.
template <class Holds>
double step_until(const Holds& holds, double x, double theta, double sign) {
  double step = std::max(1e-6 / theta, 1e-15 * std::fabs(x));
  for (int count = 0; count < 400; ++count) {
    if (holds(x)) return x;
    x += sign * step;
    if (step < 0.5 / theta || count > 150) step *= 2;
  }
  return sign * infinity;
}

struct Target {
  double log_upper;  // ln of what the upper bound of delta may be
  double log_lower;  // ln of what the lower bound of delta must exceed
};

// Both ends hold as evaluated at the very doubles that are returned.
Bounds bracket(const Inversion& inversion, const Tilt& tilt, const Target& target, double greatest) {
  const auto above = [&](double epsilon) { return inversion.log_upper(epsilon) - target.log_upper; };
  const auto below = [&](double epsilon) { return inversion.log_lower(epsilon) - target.log_lower; };
  const double upper = approximate_root(above, tilt.epsilon, -tilt.theta);
  const double lower = std::min(approximate_root(below, upper, -tilt.theta), greatest);
  return {step_until([&](double x) { return below(x) > 0; }, lower, tilt.theta, -1),
          step_until([&](double x) { return above(x) <= 0; }, upper, tilt.theta, 1)};
}

Bounds tighter(const Bounds& a, const Bounds& b) { return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)}; }

// What is left of delta for finite losses: delta <= p + rest upward, delta >= p + (1 - p) rest downward.
Target target_of(double delta, const Bounds& infinite) {
  const double rest_upper = numeric::subtract_down(delta, infinite.upper);
  const double rest_lower =
      numeric::divide_up(numeric::subtract_up(delta, infinite.lower), numeric::subtract_down(1, infinite.upper));
  return {numeric::log_down(rest_upper), numeric::log_up(rest_lower)};
}

}  // namespace

Result<Bounds> LossSum::epsilon(double delta, double tightness) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  if (!(delta > infinite.upper)) {
    return invalid("delta is " + shortest(delta) + ", but with probability up to " + shortest(infinite.upper) +
                   " a release gives everything away, so no epsilon holds; choose a larger delta");
  }
  const Target target = target_of(delta, infinite);
  const Tilt tilt = fourier::tilt_for_delta(parts_, std::exp(target.log_upper));
  const double greatest = fourier::greatest_total(parts_);
  Bounds best{0, greatest};
  double eta = eta_for(margin * tightness * std::max(std::fabs(tilt.epsilon), 1e-3 / tilt.theta), tilt.theta);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::optional<Inversion> inversion = prepare(parts_, tilt, eta);
    if (!inversion) break;
    const Bounds found = bracket(*inversion, tilt, target, greatest);
    best = tighter(best, {std::max(found.lower, 0.0), std::max(found.upper, 0.0)});
    const double gap = best.upper - best.lower, wanted = tightness * best.upper;
    if (!(gap > wanted) || kernel_gap(eta, tilt.theta) < 0.1 * gap) break;
    eta *= std::sqrt(std::clamp(0.5 * wanted / gap, 1e-3, 0.5));
  }
  return best;
}

Bounds LossSum::delta(double epsilon, double tightness) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  if (epsilon >= fourier::greatest_total(parts_)) return infinite;
  const Tilt tilt = fourier::tilt_for_epsilon(parts_, epsilon);
  Bounds best{0, 1};
  double eta = eta_for(margin * tightness / tilt.theta, tilt.theta);
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const std::optional<Inversion> inversion = prepare(parts_, tilt, eta);
    if (!inversion) break;
    const double upper = numeric::exp_up(inversion->log_upper(epsilon));
    const double lower = numeric::exp_down(inversion->log_lower(epsilon));
    best = tighter(best, {lower, upper});
    const double gap = best.upper - best.lower, wanted = tightness * best.upper;
    if (!(gap > wanted) || tilt.theta * kernel_gap(eta, tilt.theta) < 0.1 * gap / best.upper) break;
    eta *= std::sqrt(std::clamp(0.5 * wanted / gap, 1e-3, 0.5));
  }
  const double finite = numeric::subtract_down(1, infinite.upper);
  return {numeric::add_down(infinite.lower, numeric::multiply_down(finite, best.lower)),
          std::min(1.0, numeric::add_up(infinite.upper, best.upper))};
}

}  // namespace vernier::accounting
