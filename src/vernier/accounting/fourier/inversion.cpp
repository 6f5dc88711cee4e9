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

constexpr double share = 1e-11;  // of the sum, for what is left out and for aliases
constexpr double infinity = std::numeric_limits<double>::infinity();

// About E_q[e^(-theta u) (1 - e^-u)+]: what errors are measured against. Only tightness depends on it.
double expected_sum(double theta, double variance) {
  return 1 / ((1 + theta) * (1 + std::sqrt(2 * std::numbers::pi * variance) * theta));
}

struct FarTilt {
  double lambda;
  Cumulants total;
  double log_mass;  // of the tilted mass beyond the period and its multiples, at most
};

double log_far_mass(const Cumulants& here, const Cumulants& far, double lambda, double beyond, double period) {
  return far.value - here.value - lambda * beyond - std::log1p(-std::exp(-lambda * period));
}

// Chernoff's bound by the best of a few tilts; there is no such mass at all beyond the greatest loss.
FarTilt far_tilt(std::span<const LossPart> parts, const Cumulants& here, const Tilt& tilt, double period,
                 double greatest) {
  FarTilt best{0, here, infinity};
  if (tilt.epsilon + period > greatest) return {0, here, -infinity};
  for (const double factor : {1.0, 0.6, 0.35, 0.2, 0.1, 0.05}) {
    const double lambda = factor * period / std::max(here.curvature, 1e-300);
    if (!(tilt.theta + lambda < 1e12)) continue;
    const Cumulants far = total_cumulants(parts, tilt.theta + lambda);
    const double log_mass = log_far_mass(here, far, lambda, tilt.epsilon + period, period);
    if (log_mass < best.log_mass) best = {lambda, far, log_mass};
  }
  return best;
}

}  // namespace

// The period grows until what lies a period away is a negligible share.
std::optional<Inversion> Inversion::prepare(std::span<const LossPart> parts, const Tilt& tilt, double eta,
                                            double most_values) {
  Inversion made;
  made.theta_ = tilt.theta;
  made.total_ = total_cumulants(parts, tilt.theta);
  const double expected = expected_sum(tilt.theta, made.total_.curvature);
  const double log_wanted = std::log(share * expected);
  const double log_scale = made.log_scale(tilt.epsilon);
  made.period_ = std::max(7 * std::sqrt(std::max(made.total_.curvature, 0.0)), (-log_scale - log_wanted) / tilt.theta);
  made.greatest_ = greatest_total(parts);
  FarTilt far = far_tilt(parts, made.total_, tilt, made.period_, made.greatest_);
  for (int step = 0; step < 60 && far.log_mass > log_wanted; ++step) {
    made.period_ *= 1.15;
    far = far_tilt(parts, made.total_, tilt, made.period_, made.greatest_);
  }
  made.far_lambda_ = far.lambda;
  made.far_total_ = far.total;
  const double step = 2 * std::numbers::pi / made.period_;
  std::optional<Terms> terms =
      significant_terms(parts, tilt.theta, Sandwich(tilt.theta, eta), step, share * expected, most_values);
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
