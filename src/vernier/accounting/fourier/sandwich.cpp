#include "vernier/accounting/fourier/sandwich.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting::fourier {
namespace {

using Complex = std::complex<double>;

}  // namespace

Sandwich::Sandwich(double theta, double eta)
    : theta_(theta),
      eta_(eta),
      half_(eta * eta / 2),
      lift_above_(std::exp(half_ * (theta + theta * theta))),
      lift_below_(std::exp(half_ * theta * theta)),
      dent_(std::expm1(half_ * (2 * theta + 1))) {}

// With z = theta + it, h = eta^2 / 2 and e = e^(h z^2):
//     above = e e^(hz) / (z (z + 1)),     below = e (1 / (z (z + 1)) - (e^(h (2z + 1)) - 1) / (z + 1)),
// where e^(h (2z + 1)) - 1 = dent cos(2ht) - 2 sin^2(ht) + i (dent + 1) sin(2ht) has no cancellation.
Sandwich::Values Sandwich::at(double t) const {
  const Complex z(theta_, t);
  const double sine = std::sin(half_ * t), cosine = std::cos(half_ * t);
  const double turn = 2 * half_ * theta_ * t, fall = std::exp(-half_ * t * t);
  const Complex turned(fall * std::cos(turn), fall * std::sin(turn));
  const Complex hinge = 1.0 / (z * (z + 1.0));
  const Complex grown(dent_ * (1 - 2 * sine * sine) - 2 * sine * sine, (dent_ + 1) * 2 * sine * cosine);
  const Complex dent = grown * z * hinge;
  const Complex above = lift_above_ * turned * Complex(cosine, sine) * hinge;
  const Complex below = lift_below_ * turned * (hinge - dent);
  const double size =
      std::max(lift_above_ * fall * size_of(hinge), lift_below_ * fall * (size_of(hinge) + size_of(dent)));
  const double exponent = half_ * (theta_ * theta_ + t * t + 2 * theta_ * t + 2 * theta_ + t + 1);
  return {above, below, numeric::unit_roundoff * (64 + 8 * exponent), size * (1 + 1e-12)};
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
