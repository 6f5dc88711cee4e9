#include "vernier/accounting/fourier/inversion.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/accounting/loss/wave_sum.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::fourier {
namespace {

using numeric::unit_roundoff;

// Of the sum, for what is left out and for aliases: little against what the kernels leave between the bounds.
double negligible_share(double log_gap) { return std::min(1e-8, 1e-3 * log_gap); }

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

// The period is such that what lies a period away, on either side, is a negligible share.
tl::expected<Inversion, TooMuchWork> Inversion::prepare(const TotalLoss& total, const Tilt& tilt, double eta,
                                                        double most_work) {
  Inversion made;
  made.theta_ = tilt.theta;
  made.eta_ = eta;
  made.greatest_ = total.greatest();
  made.total_ = total.cumulants(tilt.theta);
  const double expected = std::exp(tilt.log_delta - made.log_scale(tilt.epsilon));
  const double tolerance = negligible_share(tilt.theta * made.kernel_gap()) * std::min(expected, 1.0);
  made.period_ = period_for(total, tilt.theta, tilt.epsilon, std::log(tolerance));
  made.period_.length += 2 * made.kernel_gap();  // the lower end is read off a little below
  const bool is_usable = made.period_.length > 0 && std::isfinite(made.period_.length);
  if (!is_usable || !std::isfinite(made.total_.value)) return tl::unexpected(TooMuchWork{0});
  const double step = 2 * std::numbers::pi / made.period_.length;
  tl::expected<Terms, TooMuchWork> terms =
      significant_terms(total.parts(), tilt.theta, Sandwich(tilt.theta, eta), step, tolerance, most_work);
  if (!terms) return tl::unexpected(terms.error());
  made.terms_ = *std::move(terms);
  return made;
}

// (1 / W) times the sum of Re(coefficient e^(-it (epsilon - centre))).
Inversion::Sum Inversion::sum(double epsilon, const Coefficients& kernel) const {
  const double distance = (epsilon - terms_.centre.hi) - terms_.centre.lo;
  const double distance_error =
      terms_.centre_error + 2 * unit_roundoff * (std::fabs(distance) + std::fabs(terms_.centre.lo));
  const std::size_t count = terms_.frequencies.size();
  const auto waves = [&](const std::vector<double>& weights) {
    const double greatest = count == 0 ? 0 : terms_.frequencies.back();
    return wave_sum(weights.data(), terms_.frequencies.data(), count, greatest, std::fabs(distance));
  };
  const double sines = waves(kernel.sines).imag();
  const double value = waves(kernel.cosines).real() + (distance < 0 ? -sines : sines);
  const double error = terms_.error + 2 * (wave_units + 2) * unit_roundoff * terms_.size +
                       (distance_error + 2 * unit_roundoff * std::fabs(distance)) * terms_.moment;
  return {value / period_.length, error * (1 + 1e-6) / period_.length + terms_.left_out};
}

double Inversion::scale_error(double epsilon) const {
  return total_.error + 4 * unit_roundoff * (std::fabs(total_.value) + std::fabs(theta_ * epsilon) + 1);
}

// Aliases of the lower kernel: untilted mass, at most 1, seen a period below, and tilted mass beyond epsilon + W.
double Inversion::aliases(double epsilon) const {
  const double below = log_mass_below(total_, period_, theta_, epsilon);
  const double above = log_mass_above(total_, period_, epsilon);
  const bool ends_before = epsilon + period_.length > greatest_;
  if (!ends_before && period_.lambda == 0) return infinity;
  const double error =
      scale_error(epsilon) + period_.far.error + 4 * unit_roundoff * theta_ * period_.length +
      4 * unit_roundoff * (std::fabs(period_.far.value) + period_.lambda * (std::fabs(epsilon) + period_.length));
  return (std::exp(below) + (ends_before ? 0 : std::exp(above))) * std::exp(error) * (1 + 1e-9);
}

double Inversion::log_upper(double epsilon) const {
  const Sum above = sum(epsilon, terms_.above);
  const double total = above.value + above.error;
  if (!(total > 0)) return infinity;
  return log_scale(epsilon) + scale_error(epsilon) + std::log(total) + 4 * unit_roundoff;
}

double Inversion::log_lower(double epsilon) const {
  const Sum below = sum(epsilon, terms_.below);
  const double total = below.value - below.error - aliases(epsilon);
  if (!(total > 0)) return -infinity;
  return log_scale(epsilon) - scale_error(epsilon) + std::log(total) - 4 * unit_roundoff;
}

}  // namespace vernier::accounting::fourier
