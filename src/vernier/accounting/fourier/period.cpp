#include "vernier/accounting/fourier/period.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace vernier::accounting::fourier
