#include "vernier/accounting/loss/gaussian_loss.hpp"

#include <limits>

#include "vernier/accounting/loss/loss_law.hpp"

namespace vernier::accounting {

namespace {

constexpr double u = numeric::unit_roundoff;

}  // namespace

// A term is off by 5 u: quotient, square (twice the quotient's, and its own) and product.
void GaussianSum::add(Sigma scale, privacy::L2Sensitivity sensitivity, double times) {
  const double mu = sensitivity.value() / scale.value();
  sum_ = numeric::sum(sum_, times * (mu * mu));
}

GaussianSquare GaussianSum::square() const {
  const bool overflows = !(sum_.hi < std::numeric_limits<double>::infinity());
  return {overflows ? std::numeric_limits<double>::infinity() : sum_.hi, 8 * u};
}

Cumulants GaussianLoss::cumulants(double theta) const {
  const double value = 0.5 * square_.value * (theta * (1 + theta));
  const double variance = std::max(square_.value, least_variance);
  return {value, square_.value * (theta + 0.5), variance, value * (square_.relative_error + 6 * u) + negligible};
}

double GaussianLoss::greatest() const { return std::numeric_limits<double>::infinity(); }

GaussianLoss::Tilted::Tilted(const GaussianSquare& square, double theta)
    : square_(square), centre_(square.value * (theta + 0.5)) {
  centre_error_ = centre_ * (square.relative_error + 3 * u) + negligible;
}

// The mean of abs(L - mean) is sqrt(2 / pi) mu, with 2 / pi rounded up.
double GaussianLoss::Tilted::spread() const {
  return std::sqrt(0.63662 * square_.value * (1 + square_.relative_error)) * (1 + 8 * u) + centre_error_ + 1e-140;
}

Frequency GaussianLoss::Tilted::at(double t) const {
  const double exponent = 0.5 * square_.value * t * t;
  if (exponent > 800) return {{0, 0}, negligible};
  const double value = std::exp(-exponent);
  // The exact one is this times e^(a + ib), abs(a) + abs(b) <= off: within 1.72 off for off <= 1, and within 2.01 else.
  const double off = exponent * (square_.relative_error + 4 * u) + t * centre_error_;
  return known({value, 0}, value * (8 * u + 2.01 * std::min(off, 1.0)) + negligible);
}

double GaussianLoss::Tilted::beyond(double t) const {
  const double exponent = 0.5 * square_.value * t * t;
  return std::min(1.0, std::exp(-exponent * (1 - square_.relative_error - 8 * u)) * (1 + 16 * u) + negligible);
}

}  // namespace vernier::accounting
