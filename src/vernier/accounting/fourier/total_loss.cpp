#include "vernier/accounting/fourier/total_loss.hpp"

#include <cmath>

#include "vernier/accounting/statement.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::fourier {

using numeric::unit_roundoff;

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
  AnyFailure any;
  for (const LossPart& part : parts) any.add(part.infinite, part.times);
  return any.chance();
}

}  // namespace vernier::accounting::fourier
