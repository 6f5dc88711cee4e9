#include "vernier/accounting/loss_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vernier/accounting/fourier/inversion.hpp"
#include "vernier/accounting/statement.hpp"
#include "vernier/core/text.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {
namespace {

using fourier::Inversion;
using fourier::Tilt;
using fourier::TotalLoss;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int most_attempts = 8;
constexpr double most_work = 5e5;   // of phi, in one preparation: some tens of milliseconds
constexpr double far_apart = 0.01;  // relatively: no matter what was asked for
constexpr double margin = 0.45;     // of the gap asked for, to the kernels; the rest is for round-off and for rounds
constexpr double least_delta_gap = 1,
                 most_delta_gap = 100;  // times the tightness: how far apart the ends of a delta are

// The eta for a kernel gap (Inversion::kernel_gap). Wider kernels than 0.3 or 3 / (1 + theta) stop being close to the
// hinge.
double eta_for(double gap, double theta) { return std::min({std::sqrt(gap / (1 + theta)), 0.3, 3 / (1 + theta)}); }

// What was prepared, with the kernels that the work allows.
struct Prepared {
  std::optional<Inversion> inversion;
  double eta;
  bool is_limited;  // narrower kernels would be too much work
};

Prepared prepare(const TotalLoss& total, const Tilt& tilt, double eta) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::optional<Inversion> made = Inversion::prepare(total, tilt, eta, most_work);
    if (made) return {std::move(made), eta, attempt > 0};
    eta *= 4;
  }
  return {std::nullopt, eta, true};
}

// Bounds as they come from narrower and narrower kernels, until their gap is as wished or the kernels are not to blame
// for it. `read` takes an inversion to bounds, `wished` bounds to a gap, `kernel_share` a kernel gap in epsilon to one
// in the bounds.
template <class Read, class Wished, class Share>
Bounds refined(const TotalLoss& total, const Tilt& tilt, double eta, Bounds best, const Read& read,
               const Wished& wished, const Share& kernel_share) {
  double last_gap = infinity;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    const Prepared prepared = prepare(total, tilt, eta);
    if (!prepared.inversion) return best;
    const Bounds found = read(*prepared.inversion);
    best = {std::max(best.lower, found.lower), std::min(best.upper, found.upper)};
    const double gap = best.upper - best.lower, wanted = wished(best);
    // An atom beside epsilon is worth more than the kernel gap, so where much is left what helped once is tried again.
    const bool is_far = gap > far_apart * best.upper && gap < 0.7 * last_gap;
    const bool by_kernels = kernel_share(prepared.inversion->kernel_gap(), best) > 0.1 * gap || is_far;
    if (!(gap > wanted) || !by_kernels || prepared.is_limited) return best;
    last_gap = gap;
    eta = prepared.eta * std::sqrt(std::clamp(0.5 * wanted / gap, 1e-3, 0.5));
  }
  return best;
}

constexpr double resolution = 0.01;  // of the kernel gap, for the two ends

// About where a falling function comes to 0, by secants from a start with a known slope, as closely as `step`.
template <class Function>
double approximate_root(const Function& value, double start, double slope, double step) {
  double x = start, y = value(x);
  for (int count = 0; count < 12 && std::isfinite(y); ++count) {
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

// From x outward, in steps that double, until `holds` does; infinite where it never does.
template <class Holds>
double gallop(const Holds& holds, double x, double step) {
  for (int count = 0; count < 60; ++count, step *= 2) {
    if (holds(x)) return x;
    x += step;
  }
  return std::copysign(infinity, step);
}

// The end that holds, moved as closely as `step` toward one that does not.
template <class Holds>
double closer(const Holds& holds, double good, double bad, double step) {
  for (int halving = 0; halving < 80 && std::fabs(good - bad) > step; ++halving) {
    const double middle = good + (bad - good) / 2;
    (holds(middle) ? good : bad) = middle;
  }
  return good;
}

struct Target {
  double log_upper;  // ln of what the upper bound of delta may be
  double log_lower;  // ln of what the lower bound of delta must exceed
};

// Both ends hold as evaluated at the very doubles that are returned. Where delta falls in stairs the secants lose their
// way, and halving finds it: an upper end never holds where a lower one does.
Bounds bracket(const Inversion& inversion, const Tilt& tilt, const Target& target, double greatest) {
  const auto above = [&](double epsilon) { return inversion.log_upper(epsilon) - target.log_upper; };
  const auto below = [&](double epsilon) { return inversion.log_lower(epsilon) - target.log_lower; };
  const auto is_upper = [&](double epsilon) { return above(epsilon) <= 0; };
  const auto is_lower = [&](double epsilon) { return below(epsilon) > 0; };
  if (is_upper(0)) return {0, 0};
  const double step = std::max(resolution * inversion.kernel_gap(), 4e-15 * std::fabs(tilt.epsilon));
  const double near_upper = approximate_root(above, tilt.epsilon, -tilt.theta, step);
  const double upper = gallop(is_upper, near_upper, step);
  const double near_lower = std::min(approximate_root(below, near_upper, -tilt.theta, step), greatest);
  double lower = gallop(is_lower, near_lower, -step);
  if (upper - lower < 4 * inversion.kernel_gap() || std::isinf(upper)) return {lower, upper};
  if (std::isinf(lower)) lower = gallop(is_lower, upper - step, -step);
  if (std::isinf(lower)) return {lower, upper};
  return {closer(is_lower, lower, upper, step), closer(is_upper, upper, lower, step)};
}

// What is left of delta for finite losses.
Target target_of(double delta, const Bounds& infinite) {
  const Bounds rest = without_failure(infinite, delta);
  return {numeric::log_down(rest.lower), numeric::log_up(rest.upper)};
}

// Where even epsilon 0 may have a smaller delta, that is what is looked at.
Tilt tilt_for(const TotalLoss& total, const Target& target) {
  const Tilt tilt = fourier::tilt_for_delta(total, std::exp(target.log_upper));
  return tilt.epsilon > 0 ? tilt : fourier::tilt_for_epsilon(total, 0);
}

}  // namespace

Result<Bounds> LossSum::epsilon(double delta, double tightness) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  if (!(delta > infinite.upper)) {
    return invalid("delta is " + shortest(delta) + ", but with probability up to " + shortest(infinite.upper) +
                   " a release gives everything away, so no epsilon holds; choose a larger delta");
  }
  const Target target = target_of(delta, infinite);
  const TotalLoss total(parts_);
  const Tilt tilt = tilt_for(total, target);
  const double eta = eta_for(margin * tightness * std::max(tilt.epsilon, 1 / tilt.theta), tilt.theta);
  const auto read = [&](const Inversion& inversion) {
    const Bounds found = bracket(inversion, tilt, target, total.greatest());
    return Bounds{std::max(found.lower, 0.0), std::max(found.upper, 0.0)};
  };
  const auto wished = [&](const Bounds& bounds) { return tightness * std::max(bounds.upper, 1e-3 / tilt.theta); };
  return refined(total, tilt, eta, {0, total.greatest()}, read, wished, [](double gap, const Bounds&) { return gap; });
}

Bounds LossSum::delta(double epsilon, double tightness) const {
  const Bounds infinite = fourier::infinite_mass(parts_);
  const TotalLoss total(parts_);
  if (epsilon >= total.greatest()) return infinite;
  const Tilt tilt = fourier::tilt_for_epsilon(total, epsilon);
  const double log_gap = tightness * std::clamp(tilt.theta * epsilon, least_delta_gap, most_delta_gap);
  const auto read = [&](const Inversion& inversion) {
    return Bounds{numeric::exp_down(inversion.log_lower(epsilon)),
                  std::min(1.0, numeric::exp_up(inversion.log_upper(epsilon)))};
  };
  const auto wished = [&](const Bounds& bounds) { return log_gap * bounds.upper; };
  const auto share = [&](double gap, const Bounds& bounds) { return tilt.theta * gap * bounds.upper; };
  const double eta = eta_for(margin * log_gap / tilt.theta, tilt.theta);
  return with_failure(infinite, refined(total, tilt, eta, {0, 1}, read, wished, share));
}

}  // namespace vernier::accounting
