#include "vernier/accounting/fourier/sandwich.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting::fourier {
namespace {

using Complex = std::complex<double>;

// e^w - 1 without cancellation: e^x cos y - 1 = expm1(x) cos y - 2 sin^2(y / 2).
Complex expm1(Complex w) {
  const double half = std::sin(w.imag() / 2);
  const double grown = std::expm1(w.real());
  return {grown * std::cos(w.imag()) - 2 * half * half, (grown + 1) * std::sin(w.imag())};
}

}  // namespace

// With z = theta + it and e = e^(eta^2 z^2 / 2):
//     above = e e^(eta^2 z / 2) / (z (z + 1)),     below = e (1 / (z (z + 1)) - (e^(eta^2 (2z + 1) / 2) - 1) / (z + 1))
Sandwich::Values Sandwich::at(double t) const {
  const Complex z(theta_, t);
  const double half = eta_ * eta_ / 2;
  const Complex hinge = 1.0 / (z * (z + 1.0));
  const Complex smoothed = std::exp(half * z * z);
  const Complex dent = expm1(half * (2.0 * z + 1.0)) / (z + 1.0);
  const Complex above = std::exp(half * (z + z * z)) * hinge;
  const Complex below = smoothed * (hinge - dent);
  const double size = std::max(std::abs(above), std::abs(smoothed) * (std::abs(hinge) + std::abs(dent)));
  const double exponent = half * (std::norm(z) + 2 * std::abs(z) + 1);
  return {above, below, numeric::unit_roundoff * (48 + 8 * exponent), size * (1 + 1e-12)};
}

double Sandwich::bound(double t) const {
  const double growth = eta_ * eta_ * ((theta_ + 1) * (theta_ + 1) - t * t) / 2;
  const double hinge = 1 / std::max(theta_ * (1 + theta_), t * t);
  return std::exp(growth) * (hinge + eta_ * eta_) * (1 + 1e-12);
}

double Sandwich::bound_beyond(double t) const {
  const double eta_square = eta_ * eta_;
  const double growth = std::exp(eta_square * (theta_ + 1) * (theta_ + 1) / 2);
  // The integral of e^(-eta^2 s^2 / 2) over s > t is at most the least of these two.
  const double gaussian = std::min(std::sqrt(std::numbers::pi / 2) / eta_, t > 0 ? 1 / (eta_square * t) : INFINITY) *
                          std::exp(-eta_square * t * t / 2);
  // The integral of 1 / max(theta (1 + theta), s^2).
  const double knee = std::sqrt(theta_ * (1 + theta_));
  const double hinge = t < knee ? (2 - t / knee) / knee : 1 / t;
  return growth * (hinge * std::exp(-eta_square * t * t / 2) + eta_square * gaussian) * (1 + 1e-12);
}

}  // namespace vernier::accounting::fourier
