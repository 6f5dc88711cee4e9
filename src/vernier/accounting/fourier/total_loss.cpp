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

}  // namespace vernier::accounting::fourier
