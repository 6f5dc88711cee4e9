#include "vernier/accounting/fourier/tilt.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vernier::accounting::fourier {
namespace {

constexpr int most_halvings = 20;

}  // namespace

// The length that Chernoff gives has one minimum over lambda. A law is about normal near its tilt, and there the best
// lambda is a few over its standard deviation; one with a rare far jump needs much less. A bounded law may end before.
Period period_for(const TotalLoss& total, double theta, double epsilon, double log_negligible) {
  const Cumulants here = total.cumulants(theta);
  const double below = (theta * epsilon - here.value - log_negligible) / theta;
  Period best{total.greatest() - epsilon + 10 / theta, 0, here, below};
  double lambda = 8 / std::sqrt(std::max(here.curvature, 1e-300));
  for (int halving = 0; halving < most_halvings; ++halving, lambda /= 2) {
    if (!(theta + lambda < greatest_theta)) continue;
    const Cumulants far = total.cumulants(theta + lambda);
    const double length = (far.value - here.value - lambda * epsilon - log_negligible + 0.1) / lambda;
    if (length < best.length) {
      best = {length, lambda, far, below};
    } else if (best.lambda > 0 || std::isfinite(length)) {
      break;
    }
  }
  best.length = std::max(best.length, below);
  return best;
}

double log_mass_above(const Cumulants& here, const Period& period, double epsilon) {
  return period.far.value - here.value - period.lambda * (epsilon + period.length) -
         std::log1p(-std::exp(-period.lambda * period.length));
}

double log_mass_below(const Cumulants& here, const Period& period, double theta, double epsilon) {
  return theta * (epsilon - period.length) - here.value - std::log1p(-std::exp(-theta * period.length));
}

namespace {

constexpr double greatest_exponent = 1e9;          // theta times the greatest loss: beyond, the law is its end alone
constexpr double least_theta_in_deviations = 1.5;  // theta is at least this over the standard deviation
constexpr int most_steps = 80;
constexpr double close_enough = 0.03, small_value = 0.3;  // for a tilt: they cost hardly any tightness
constexpr double log_negligible = -18;
constexpr double least_log_expected = -10;  // by which a lesser tilt may thin out what is left of delta

double deviation(const Cumulants& total) { return std::sqrt(std::max(total.curvature, 1e-300)); }

double most_tilted(const TotalLoss& total) {
  const double greatest = total.greatest();
  return std::isinf(greatest) ? greatest_theta : std::min(greatest_theta, greatest_exponent / greatest);
}

struct ValueAndSlope {
  double value;
  double slope;
};

// About the zero of a falling function of theta up to `most`, by Newton's rule inside a bracket that it keeps
// shrinking. Where the function falls off a cliff, as a far jump makes it, the upper edge.
template <class Function>
double falling_zero(const Function& value_and_slope, double start, double most) {
  double low = 0, high = most, theta = std::clamp(start, 1e-12 * most, most);
  for (int step = 0; step < most_steps && high - low > close_enough * high; ++step) {
    const ValueAndSlope here = value_and_slope(theta);
    if (std::fabs(here.value) < small_value) return theta;
    (here.value > 0 ? low : high) = theta;
    const double next = theta - here.value / here.slope;
    const double middle = low > 0 ? std::sqrt(low * high) : high / 16;
    theta = next > low && next < high && step % 4 != 3 ? next : middle;
  }
  return low > 0 ? low : high;
}

// Kept away from 0, where the kernels have no transform, but not by carrying a far jump along.
double usable(const TotalLoss& total, double theta) {
  const double untilted = deviation(total.cumulants(0));
  const double widest = std::max(deviation(total.cumulants(theta)), untilted);
  double least = std::min(least_theta_in_deviations / widest, most_tilted(total));
  for (int step = 0; step < most_steps && least > theta && deviation(total.cumulants(least)) > 2 * untilted; ++step) {
    least /= 2;
  }
  return std::max(theta, least);
}

// About ln E_q[e^(-theta u) (1 - e^-u)+] at the saddle point.
double log_expected(const TotalLoss& total, double theta) {
  const double width = theta * std::sqrt(2 * std::numbers::pi) * deviation(total.cumulants(theta));
  return -std::log1p(theta) - std::log1p(width);
}

// The epsilon at which delta would be as given, if theta were its saddle point.
double guessed_epsilon(const TotalLoss& total, double theta, double log_delta) {
  return (total.cumulants(theta).value + log_expected(total, theta) - log_delta) / theta;
}

// A law with a narrow bulk and a rare far jump, as sampled releases have, carries the jump along at its saddle point
// and then needs a long period, which is many frequencies. A lesser tilt leaves the jump behind, and is taken as long
// as it shortens the period and leaves enough of delta to be read off.
double cheaper(const TotalLoss& total, double saddle, double log_delta) {
  const auto period_at = [&](double theta) {
    return period_for(total, theta, 0, log_negligible + log_expected(total, theta));
  };
  const Period at_saddle = period_at(saddle);
  if (at_saddle.length <= std::max(1.5 * at_saddle.below, 12 * deviation(total.cumulants(0)))) return saddle;
  const double least = saddle + least_log_expected / guessed_epsilon(total, saddle, log_delta);
  double theta = saddle, length = at_saddle.length;
  for (int step = 0; step < most_steps && 0.85 * theta > least; ++step) {
    const double next = period_at(0.85 * theta).length;
    if (!(next < 0.95 * length)) break;
    theta *= 0.85;
    length = next;
  }
  return theta;
}

}  // namespace

// Saddle point: delta at epsilon is about the least e^(K - theta epsilon) / ((1 + theta)(1 + theta sqrt(2 pi K''))),
// where the first factor below the line matters near the end of a bounded law, the second everywhere else.
Tilt tilt_for_delta(const TotalLoss& total, double delta) {
  const double log_delta = std::log(delta);
  const auto excess = [&](double theta) -> ValueAndSlope {
    const Cumulants here = total.cumulants(theta);
    return {here.value - theta * here.slope + log_expected(total, theta) - log_delta,
            -theta * here.curvature - 1 / theta};
  };
  const double start = std::sqrt(-2 * log_delta) / deviation(total.cumulants(0));
  const double saddle = usable(total, falling_zero(excess, start, most_tilted(total)));
  const double theta = cheaper(total, saddle, log_delta);
  if (theta == saddle) return {theta, total.cumulants(theta).slope - 1 / (1 + theta), log_delta, true};
  return {theta, guessed_epsilon(total, theta, log_delta), log_delta, false};
}

Tilt tilt_for_epsilon(const TotalLoss& total, double epsilon) {
  const auto excess = [&](double theta) -> ValueAndSlope {
    const Cumulants here = total.cumulants(theta);
    const double share = 1 / (1 + theta), scale = 1 / (deviation(here) + share);
    return {scale * (epsilon + share - here.slope), -scale * (here.curvature + share * share)};
  };
  const Cumulants untilted = total.cumulants(0);
  if (epsilon + 1 <= untilted.slope) {  // delta is near 1, and the hinge, of width 1, is wide enough
    return {std::min(usable(total, 0), 1.0), epsilon, 0, true};
  }
  const double start = std::fabs(epsilon - untilted.slope) / std::max(untilted.curvature, 1e-300);
  const double saddle = usable(total, falling_zero(excess, start, most_tilted(total)));
  const double log_delta = total.cumulants(saddle).value - saddle * epsilon + log_expected(total, saddle);
  return {cheaper(total, saddle, log_delta), epsilon, std::min(log_delta, 0.0), true};
}

}  // namespace vernier::accounting::fourier
