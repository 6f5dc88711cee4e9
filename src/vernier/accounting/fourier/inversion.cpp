#include "vernier/accounting/fourier/inversion.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting::fourier {
namespace {

using numeric::unit_roundoff;

// Of the sum, for what is left out and for aliases: little against what the kernels leave between the bounds.
double negligible_share(double log_gap) { return std::min(1e-8, 1e-3 * log_gap); }

constexpr double infinity = std::numeric_limits<double>::infinity();

// About E_q[e^(-theta u) (1 - e^-u)+]: what errors are measured against. Only tightness depends on it.
double expected_sum(double theta, double variance) {
  return 1 / ((1 + theta) * (1 + std::sqrt(2 * std::numbers::pi * variance) * theta));
}

// A second tilt, by which Chernoff bounds the mass that lies a period and more above.
struct FarTilt {
  double lambda;
  Cumulants total;
  double period;  // from which on that mass is as small as wanted
};

// ln of the tilted mass beyond `beyond` and multiples of the period further on, at most.
double log_far_mass(const Cumulants& here, const Cumulants& far, double lambda, double beyond, double period) {
  return far.value - here.value - lambda * beyond - std::log1p(-std::exp(-lambda * period));
}

// The least period that a few tilts give; for a bounded law, if it is less, the distance to its end, beyond which there
// is nothing. A law is about normal near its tilt, and there the best lambda is a few over its standard deviation.
FarTilt far_tilt(const TotalLoss& total, const Cumulants& here, const Tilt& tilt, double log_wanted) {
  FarTilt best{0, here, total.greatest() - tilt.epsilon + 10 / tilt.theta};
  const double deviation = std::sqrt(std::max(here.curvature, 1e-300));
  for (const double deviations : {8.0, 4.0, 2.0, 1.0, 0.5, 0.25, 0.125, 0.0625}) {
    const double lambda = deviations / deviation;
    if (!(tilt.theta + lambda < 1e12)) continue;
    const Cumulants far = total.cumulants(tilt.theta + lambda);
    const double period = (far.value - here.value - lambda * tilt.epsilon - log_wanted + 0.1) / lambda;
    if (period > best.period) break;
    best = {lambda, far, period};
  }
  return best;
}

}  // namespace

// The period is such that what lies a period away, on either side, is a negligible share.
std::optional<Inversion> Inversion::prepare(const TotalLoss& total, const Tilt& tilt, double eta, double most_work) {
  Inversion made;
  made.theta_ = tilt.theta;
  made.eta_ = eta;
  made.greatest_ = total.greatest();
  made.total_ = total.cumulants(tilt.theta);
  const double expected = expected_sum(tilt.theta, made.total_.curvature);
  const double tolerance = negligible_share(tilt.theta * made.kernel_gap()) * expected;
  const double log_wanted = std::log(tolerance);
  const FarTilt far = far_tilt(total, made.total_, tilt, log_wanted);
  made.far_lambda_ = far.lambda;
  made.far_total_ = far.total;
  made.period_ = std::max(far.period, (-made.log_scale(tilt.epsilon) - log_wanted) / tilt.theta);
  const double step = 2 * std::numbers::pi / made.period_;
  std::optional<Terms> terms =
      significant_terms(total.parts(), tilt.theta, Sandwich(tilt.theta, eta), step, tolerance, most_work);
  if (!terms) return std::nullopt;
  made.terms_ = *std::move(terms);
  return made;
}

// (1 / W) (term(0) + 2 sum Re term(t)), each term turned by e^(-it (epsilon - centre)).
Inversion::Sum Inversion::sum(double epsilon, std::complex<double> Term::*kernel) const {
  const double distance = (epsilon - terms_.centre) - terms_.centre_rest;
  const double distance_error = 2 * unit_roundoff * (std::fabs(distance) + std::fabs(terms_.centre_rest));
  double value = 0, error = 0, sizes = 0;
  for (const Term& term : terms_.kept) {
    const double weight = term.t == 0 ? 1 : 2;
    const double phase = term.t * distance;
    const std::complex<double>& factor = term.*kernel;
    value += weight * (factor.real() * std::cos(phase) + factor.imag() * std::sin(phase));
    error += weight * (term.error + term.size * (term.t * distance_error + 2 * unit_roundoff * std::fabs(phase)));
    sizes += weight * term.size;
  }
  error += (static_cast<double>(terms_.kept.size()) + 16) * unit_roundoff * sizes;
  return {value / period_, error * (1 + 1e-9) / period_ + terms_.left_out};
}

double Inversion::scale_error(double epsilon) const {
  return total_.error + 4 * unit_roundoff * (std::fabs(total_.value) + std::fabs(theta_ * epsilon) + 1);
}

// Aliases of the lower kernel: tilted mass beyond epsilon + W, and untilted mass, at most 1, seen a period below.
double Inversion::aliases(double epsilon) const {
  const double below = -theta_ * period_ - log_scale(epsilon) - std::log1p(-std::exp(-theta_ * period_));
  if (epsilon + period_ > greatest_) return std::exp(below + scale_error(epsilon)) * (1 + 1e-9);
  if (far_lambda_ == 0) return infinity;
  const double above = log_far_mass(total_, far_total_, far_lambda_, epsilon + period_, period_);
  const double error = scale_error(epsilon) + far_total_.error +
                       4 * unit_roundoff * (std::fabs(far_total_.value) + far_lambda_ * std::fabs(epsilon + period_));
  return (std::exp(below) + std::exp(above)) * std::exp(error) * (1 + 1e-9);
}

double Inversion::log_upper(double epsilon) const {
  const Sum above = sum(epsilon, &Term::above);
  const double total = above.value + above.error;
  if (!(total > 0)) return infinity;
  return log_scale(epsilon) + scale_error(epsilon) + std::log(total) + 4 * unit_roundoff;
}

double Inversion::log_lower(double epsilon) const {
  const Sum below = sum(epsilon, &Term::below);
  const double total = below.value - below.error - aliases(epsilon);
  if (!(total > 0)) return -infinity;
  return log_scale(epsilon) - scale_error(epsilon) + std::log(total) - 4 * unit_roundoff;
}

}  // namespace vernier::accounting::fourier
