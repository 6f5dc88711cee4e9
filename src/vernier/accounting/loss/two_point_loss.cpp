#include "vernier/accounting/loss/two_point_loss.hpp"

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

namespace {

constexpr double u = numeric::unit_roundoff;

struct Value {
  double value, error;
};

// K = ln(1 + m), m = (e^(theta e) - 1) (1 - e^(-(1 + theta) e)) / (1 + e^-e): positive factors, nothing cancels.
Value near_value(double epsilon, double theta) {
  const double rise = std::expm1(theta * epsilon) * -std::expm1(-(1 + theta) * epsilon);
  const double value = std::log1p(rise / (1 + std::exp(-epsilon)));
  return {value, 32 * u * value + negligible};
}

// The same relatively to the greatest loss, for theta e >= 2, where e^(theta e) might overflow.
Value far_value(double epsilon, double theta) {
  const double value =
      theta * epsilon + (std::log1p(std::exp(-(1 + 2 * theta) * epsilon)) - std::log1p(std::exp(-epsilon)));
  return {value, u * (4 * theta * epsilon + 24)};
}

}  // namespace

Cumulants TwoPointLoss::cumulants(double theta) const {
  const double epsilon = epsilon_.head;
  const Value value = theta * epsilon < 2 ? near_value(epsilon, theta) : far_value(epsilon, theta);
  const double odds = std::exp(-(1 + 2 * theta) * epsilon);  // of the lower loss
  const double rise = -std::expm1(-(1 + 2 * theta) * epsilon);
  const double variance = 4 * epsilon * epsilon * (odds / ((1 + odds) * (1 + odds)));
  return {value.value, epsilon * rise / (1 + odds), std::max(variance, least_variance), value.error};
}

double TwoPointLoss::greatest() const { return numeric::add_up(epsilon_.head, epsilon_.rest); }

TwoPointLoss::Tilted::Tilted(const numeric::SplitQuotient& epsilon, double theta) {
  const double odds = std::exp(-(1 + 2 * theta) * epsilon.head);
  upper_mass_ = 1 / (1 + odds);
  lower_mass_ = odds / (1 + odds);
  centre_ = epsilon.head * -std::expm1(-(1 + 2 * theta) * epsilon.head) / (1 + odds);
  upper_ = from_centre(epsilon.head, epsilon.rest, centre_);
  lower_ = -from_centre(epsilon.head, epsilon.rest, -centre_);
  reach_ = upper_mass_ * std::abs(upper_) + lower_mass_ * std::abs(lower_);
}

// The masses are known to 745 * 3 units relatively; below e^-745 the lower one is nothing.
double TwoPointLoss::Tilted::spread() const { return reach_ * (1 + 1e-12) + negligible; }

Frequency TwoPointLoss::Tilted::at(double t) const {
  const std::complex<double> value = upper_mass_ * turn(t * upper_) + lower_mass_ * turn(t * lower_);
  return known(value, u * (14 + 4 * t * reach_));
}

}  // namespace vernier::accounting
