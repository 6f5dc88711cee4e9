#include "vernier/accounting/fourier/total_loss.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting::fourier {
namespace {

using numeric::unit_roundoff;

constexpr double greatest_theta = 1e12;
constexpr double greatest_exponent = 1e9;  // theta times the greatest loss: beyond, the law is its upper end alone
constexpr double least_theta_in_deviations = 1.5;  // theta is at least this over the standard deviation
constexpr int most_steps = 80;
constexpr int most_halvings = 6;
constexpr double close_enough = 0.03;               // a tilt, relatively: it costs hardly any tightness,
constexpr double close_enough_in_deviations = 0.3;  // where its mean moves by no more; a heavy tail begins abruptly

double deviation(const Cumulants& total) { return std::sqrt(std::max(total.curvature, 1e-300)); }

double most_tilted(const TotalLoss& total) {
  const double greatest = total.greatest();
  return std::isinf(greatest) ? greatest_theta : std::min(greatest_theta, greatest_exponent / greatest);
}

// The zero of a falling function of theta up to `most`, by Newton's rule inside a bracket that it keeps shrinking.
template <class Function>
double falling_zero(const Function& value_and_slope, double start, double most) {
  double low = 0, high = most, theta = std::clamp(start, 1e-12 * most, most);
  for (int step = 0; step < most_steps; ++step) {
    const auto [value, slope, deviation] = value_and_slope(theta);
    (value > 0 ? low : high) = theta;
    double next = theta - value / slope;
    if (!(next > low && next < high)) next = low > 0 ? std::sqrt(low * high) : high / 16;
    const double change = std::fabs(next - theta);
    if (change < close_enough * theta && change * deviation < close_enough_in_deviations) return theta;
    theta = next;
  }
  return theta;
}

struct ValueAndSlope {
  double value;
  double slope;
  double deviation;  // of the tilted loss
};

// The least theta that is used, since the kernels have no transform at 0. In a heavy tail it may be less than usual, so
// that the tilted law does not leave the bulk: for a normal law it moves by as many deviations as theta has.
double least_theta(const TotalLoss& total, double widest) {
  const Cumulants untilted = total.cumulants(0);
  double theta = least_theta_in_deviations / widest;
  for (int halving = 0; halving < most_halvings; ++halving) {
    const double moved = total.cumulants(theta).slope - untilted.slope;
    if (moved <= 2 * least_theta_in_deviations * widest) break;
    theta /= 2;
  }
  return theta;
}

// Kept away from 0.
double usable(const TotalLoss& total, double theta) {
  const double widest = std::max(deviation(total.cumulants(theta)), deviation(total.cumulants(0)));
  return std::min(std::max(theta, least_theta(total, widest)), most_tilted(total));
}

}  // namespace

Cumulants total_cumulants(std::span<const LossPart> parts, double theta) {
  Cumulants total{0, 0, 0, 0};
  double sizes = 0;
  for (const LossPart& part : parts) {
    const Cumulants one = part.law.cumulants(theta);
    total.value += part.times * one.value;
    total.slope += part.times * one.slope;
    total.curvature += part.times * one.curvature;
    total.error += part.times * one.error;
    sizes += part.times * std::fabs(one.value);
  }
  total.error = (total.error + (static_cast<double>(parts.size()) + 2) * unit_roundoff * sizes) * (1 + 1e-9);
  return total;
}

Cumulants TotalLoss::cumulants(double theta) const {
  const auto [known, is_new] = known_.try_emplace(theta);
  if (is_new) known->second = total_cumulants(parts_, theta);
  return known->second;
}

double greatest_total(std::span<const LossPart> parts) {
  double total = 0;
  for (const LossPart& part : parts) {
    total = numeric::add_up(total, numeric::multiply_up(part.times, part.law.greatest()));
  }
  return total;
}

Bounds infinite_mass(std::span<const LossPart> parts) {
  double log_upper = 0, log_lower = 0;  // of the chance that all losses are finite
  for (const LossPart& part : parts) {
    if (part.infinite.upper == 0) continue;
    log_lower =
        numeric::add_down(log_lower, numeric::multiply_down(part.times, numeric::log1p_down(-part.infinite.upper)));
    log_upper = numeric::add_up(log_upper, numeric::multiply_up(part.times, numeric::log1p_up(-part.infinite.lower)));
  }
  return {0 - numeric::expm1_up(log_upper), 0 - numeric::expm1_down(log_lower)};
}

// Saddle point: delta at epsilon is about the least e^(K - theta epsilon) / ((1 + theta)(1 + theta sqrt(2 pi K''))),
// where the first factor below the line matters near the end of a bounded law, the second everywhere else.
Tilt tilt_for_delta(const TotalLoss& total, double delta) {
  const double log_delta = std::log(delta);
  const auto excess = [&](double theta) -> ValueAndSlope {
    const Cumulants here = total.cumulants(theta);
    const double width = theta * std::sqrt(2 * std::numbers::pi) * deviation(here);
    return {here.value - theta * here.slope - std::log1p(theta) - std::log1p(width) - log_delta,
            -theta * here.curvature - 1 / theta, deviation(here)};
  };
  const double start = std::sqrt(-2 * log_delta) / deviation(total.cumulants(0));
  const double theta = usable(total, falling_zero(excess, start, most_tilted(total)));
  return {theta, total.cumulants(theta).slope - 1 / (1 + theta)};
}

Tilt tilt_for_epsilon(const TotalLoss& total, double epsilon) {
  const auto excess = [&](double theta) -> ValueAndSlope {
    const Cumulants here = total.cumulants(theta);
    return {epsilon + 1 / (1 + theta) - here.slope, -here.curvature - 1 / ((1 + theta) * (1 + theta)), deviation(here)};
  };
  const Cumulants untilted = total.cumulants(0);
  if (epsilon + 1 <= untilted.slope) return {usable(total, 0), epsilon};
  const double start = std::fabs(epsilon - untilted.slope) / std::max(untilted.curvature, 1e-300);
  return {usable(total, falling_zero(excess, start, most_tilted(total))), epsilon};
}

}  // namespace vernier::accounting::fourier
