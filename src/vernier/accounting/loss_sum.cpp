#include "vernier/accounting/loss_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vernier/accounting/fourier/inversion.hpp"
#include "vernier/accounting/statement.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/crossing.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using fourier::Inversion;
using fourier::Tilt;
using fourier::TotalLoss;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_attempts = 8;
constexpr double finer = 0.2;                        // of eta, 25 times less gap
constexpr double cheap_work = 5e3, most_work = 2e6;  // in values of phi: some tenths and some hundreds of milliseconds
constexpr double margin = 0.45;  // of the gap asked for, to the kernels; the rest is for round-off and for rounds
constexpr double least_delta_gap =
    1;  // times the tightness: how far apart the ends of a delta may be; at most most_delta_gap
constexpr double log_least_double = -745;

// Wider kernels than this stop being close to the hinge.
double widest_eta(double theta) { return std::min(0.3, 3 / (1 + theta)); }

// The eta for a kernel gap (Inversion::kernel_gap).
double eta_for(double gap, double theta) { return std::min(std::sqrt(gap / (1 + theta)), widest_eta(theta)); }

// What was prepared, with the kernels that the work allows.
struct Prepared {
  std::optional<Inversion> inversion;
  double eta;
  bool is_limited;  // narrower kernels would be too much work
};

// Narrower kernels than asked for where they cost next to nothing. Wider ones, which need as many frequencies as were
// reached, where the work would be too much. What it took is taken off the work that is left.
Prepared prepare(const TotalLoss& total, const Tilt& tilt, double eta, double& work_left) {
  if (auto fine = Inversion::prepare(total, tilt, finer * eta, cheap_work)) return {*fine, finer * eta, false};
  for (int attempt = 0; attempt < most_attempts && work_left > cheap_work; ++attempt) {
    const double allowed = std::min(most_work, work_left);
    const auto made = Inversion::prepare(total, tilt, eta, allowed);
    work_left -= made ? made->work() : allowed;
    if (made) return {*made, eta, attempt > 0};
    if (eta == widest_eta(tilt.theta)) break;
    eta = std::min(1.2 * eta / std::max(made.error().reached, 0.01), widest_eta(tilt.theta));
  }
  return {std::nullopt, eta, true};
}

// Bounds as they come from narrower and narrower kernels, until their gap is as wished or narrower ones do not help.
// `read` takes an inversion to bounds, `wished` bounds to a gap.
template <class Read, class Wished>
Bounds refined(const TotalLoss& total, const Tilt& tilt, double eta, Bounds best, double work_left, const Read& read,
               const Wished& wished) {
  double last_gap = infinity;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Prepared prepared = prepare(total, tilt, eta, work_left);
    if (!prepared.inversion) return best;
    const Bounds found = read(*prepared.inversion);
    best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
    const double gap = best.upper - best.lower, wanted = wished(best);
    if (!(gap > wanted) || gap > 0.7 * last_gap || prepared.is_limited) return best;
    last_gap = gap;
    eta = prepared.eta * std::sqrt(std::clamp(0.5 * wanted / gap, 1e-3, 0.5));
  }
  return best;
}

constexpr double resolution = 0.01;  // of the kernel gap, for the two ends

// About where a falling function comes to 0, by secants from a start with a known slope, as closely as `step`. A guess:
// on the stairs of a lattice law secants go astray.
template <class Function>
double secant_root(const Function& value, double start, double slope, double step) {
  double x = start, y = value(x);
  for (int count = 0; count < 8 && std::isfinite(y); ++count) {
    const double next = x - y / slope;
    if (!(std::fabs(next - x) > step)) return next;
    const double y_next = value(next);
    const double secant = (y_next - y) / (next - x);
    if (secant < 0 && std::isfinite(secant)) slope = secant;
    x = next;
    y = y_next;
  }
  return x;
}

// How an end is searched for: as closely as `step`, with so many tries. The weight e^(-theta u) changes by e with each
// 1 / theta, so steps grow to that, stay there for a while, and grow again.
struct Search {
  double step;
  double theta;
  int most_tries;

  double grown(double step_taken, int tries) const {
    return step_taken < 0.5 / theta || 3 * tries > 2 * most_tries ? 2 * step_taken : step_taken;
  }
};

// The least x, up to a step, at which a falling function is seen to be 0 or less; infinite where it is not seen.
template <class Function>
double least_holding(const Function& excess, double guess, const Search& search) {
  numeric::Excess left{guess, excess(guess)}, right = left;
  double step = search.step;
  for (int tries = 0; !(right.excess <= 0); ++tries) {  // to the right until it holds
    if (tries == search.most_tries) return infinity;
    left = right;
    right.x += step;
    right.excess = excess(right.x);
    step = search.grown(step, tries);
  }
  for (int tries = 0; left.excess <= 0; ++tries) {  // to the left until it does not
    if (tries == search.most_tries) return right.x;
    right = left;
    left.x -= step;
    left.excess = excess(left.x);
    step = search.grown(step, tries);
  }
  return numeric::approximate_crossing(excess, left, right, {0, search.step, 0});
}

// Tries that are a fair share of the work of the preparation.
int most_tries(const Inversion& inversion) {
  return static_cast<int>(std::clamp(most_work / (1 + inversion.terms()), 20.0, 200.0));
}

struct Target {
  double log_upper;  // ln of what the upper bound of delta may be
  double log_lower;  // ln of what the lower bound of delta must exceed
};

// Both ends hold as evaluated at the very doubles that are returned.
Bounds bracket(const Inversion& inversion, const Tilt& tilt, const Target& target, double greatest) {
  const auto above = [&](double epsilon) { return inversion.log_upper(epsilon) - target.log_upper; };
  // Seen from the right, so that it falls: 0 or less exactly where the lower bound exceeds the target.
  const auto below = [&](double mirrored) {
    const double excess = inversion.log_lower(-mirrored) - target.log_lower;
    return excess > 0 ? -excess : std::max(-excess, 1e-300);
  };
  if (above(0) <= 0) return {0, 0};
  const double step = std::max(resolution * inversion.kernel_gap(), 4e-15 * std::fabs(tilt.epsilon));
  const Search search{step, tilt.theta, most_tries(inversion)};
  const double upper = least_holding(above, secant_root(above, tilt.epsilon, -tilt.theta, step), search);
  if (std::isinf(upper)) return {-infinity, infinity};
  const double guess = std::min(upper - inversion.kernel_gap(), greatest);
  return {-least_holding(below, -guess, search), upper};
}

// What is left of delta for finite losses.
Target target_of(double delta, const Bounds& infinite) {
  const Bounds rest = without_failure(infinite, delta);
  return {numeric::log_down(rest.lower), numeric::log_up(rest.upper)};
}

// ln of Chernoff's bound, E[e^(theta (S - epsilon))], which is above delta.
double log_chernoff(const TotalLoss& total, const Tilt& tilt) {
  const Cumulants here = total.cumulants(tilt.theta);
  const double exponent = numeric::multiply_down(tilt.theta, tilt.epsilon);
  return numeric::subtract_up(numeric::add_up(here.value, here.error), exponent);
}

// An epsilon at which delta is nearly 1, if it is above 0.
double nearly_certain(const TotalLoss& total) {
  const Cumulants untilted = total.cumulants(0);
  return untilted.slope - 6 * std::sqrt(std::max(untilted.curvature, 0.0)) - 20;
}

// The tilt for a delta. Where it is off the saddle point its epsilon is a guess, and is corrected by a look through
// wide kernels: periods are chosen around it.
Tilt centred(const TotalLoss& total, const Target& target) {
  Tilt tilt = fourier::tilt_for_delta(total, std::exp(target.log_upper));
  if (!(tilt.epsilon > 0)) return fourier::tilt_for_epsilon(total, 0);  // even there delta may be smaller
  if (tilt.is_saddle) return tilt;
  const auto rough = Inversion::prepare(total, tilt, widest_eta(tilt.theta) / 4, cheap_work);
  if (!rough) return tilt;
  const double upper = bracket(*rough, tilt, target, total.greatest()).upper;
  if (std::isfinite(upper)) tilt.epsilon = upper;
  return tilt;
}

}  // namespace

Result<Bounds> LossSum::epsilon(double delta, double tightness, double work) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  if (!(delta > infinite.upper)) {
    constexpr int digits = 15;  // as it was written, before it was rounded down
    return invalid("delta is " + nearest_text(delta, digits) + ", but with probability up to " +
                       rounded_up_text(infinite.upper) + " a release gives everything away, so no epsilon holds",
                   enough_delta(infinite));
  }
  const Target target = target_of(delta, infinite);
  const TotalLoss total(parts_);
  if (std::log(-std::expm1(-total.greatest())) < target.log_upper - 1e-9) return Bounds{0, 0};  // no loss is so large
  const Tilt tilt = centred(total, target);
  const double eta = eta_for(margin * tightness * std::max(tilt.epsilon, 1 / tilt.theta), tilt.theta);
  const auto read = [&](const Inversion& inversion) {
    const Bounds found = bracket(inversion, tilt, target, total.greatest());
    return Bounds{std::max(found.lower, 0.0), std::max(found.upper, 0.0)};
  };
  const auto wished = [&](const Bounds& bounds) { return tightness * std::max(bounds.upper, 1e-3 / tilt.theta); };
  return refined(total, tilt, eta, {0, total.greatest()}, work, read, wished);
}

Bounds LossSum::delta(double epsilon, double tightness, double work) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  const TotalLoss total(parts_);
  if (epsilon >= total.greatest()) return infinite;
  // Far below the mean delta is nearly 1, and the lower bound of a larger epsilon, which holds too, says so.
  if (const double low = nearly_certain(total); epsilon < low) return {delta(low, tightness, work).lower, 1};
  const Tilt tilt = fourier::tilt_for_epsilon(total, epsilon);
  // It is not 0: the least double says that it is below all others.
  if (const double above = log_chernoff(total, tilt); above < log_least_double)
    return with_failure(infinite, {0, numeric::exp_up(std::max(above, -1e6))});
  const double log_gap = tightness * std::clamp(tilt.theta * epsilon, least_delta_gap, most_delta_gap);
  const auto read = [&](const Inversion& inversion) {
    return Bounds{numeric::exp_down(inversion.log_lower(epsilon)),
                  std::min(1.0, numeric::exp_up(inversion.log_upper(epsilon)))};
  };
  const auto wished = [&](const Bounds& bounds) { return log_gap * bounds.upper; };
  const double eta = eta_for(margin * log_gap / tilt.theta, tilt.theta);
  return with_failure(infinite, refined(total, tilt, eta, {0, 1}, work, read, wished));
}

}  // namespace vernier::accounting
