#include "vernier/accounting/fourier/sandwich.hpp"

#include <cmath>
#include <complex>
#include <random>

#include <gtest/gtest.h>

namespace vernier::accounting::fourier {
namespace {

using Complex = std::complex<long double>;

long double normal(long double x) { return std::erfc(-x / std::sqrt(2.0L)) / 2; }

// delta of a Gaussian release of mu = eta, at epsilon = -u: what above(u) is by definition.
long double above(long double u, long double eta) {
  return normal(eta / 2 + u / eta) - std::exp(-u) * normal(-eta / 2 + u / eta);
}
long double below(long double u, long double eta) { return -std::expm1(-u) * normal(u / eta); }
long double hinge(long double u) { return u > 0 ? -std::expm1(-u) : 0; }

// The integral of e^(-zu) f(u), by the trapezoidal rule, which is exact to all digits for such smooth functions. Both
// functions fall off like a Gaussian of width eta to the left and e^(-theta u) to the right.
template <class Function>
Complex transform(const Function& f, double theta, double t, double eta) {
  const long double left = -14.0L * eta * (1 + theta * eta) - 1e-9L, right = 45.0L / theta + 14.0L * eta;
  const long double step = std::min({eta / 6.0L, 0.5L / (std::fabs(t) + theta + 1)});
  Complex sum = 0;
  const auto count = static_cast<long>((right - left) / step);
  for (long j = 0; j <= count; ++j) {
    const long double u = left + step * static_cast<long double>(j);
    sum += f(u) * std::exp(Complex(-theta * u, -t * u));
  }
  return sum * step;
}

struct Point {
  double theta, eta, t;
};

std::vector<Point> points() {
  std::mt19937_64 bits(20261115);
  const auto between = [&](double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<>(0, 1)(bits));
  };
  std::vector<Point> all;
  for (int i = 0; i < 40; ++i) {
    const double theta = between(0.2, 50), eta = std::min(between(0.01, 0.3), 3 / (1 + theta));
    all.push_back({theta, eta, i % 6 == 0 ? 0 : between(0.01, 4 / eta)});
  }
  return all;
}

TEST(Sandwich, LiesOnBothSidesOfTheHinge) {
  for (const double eta : {1e-3, 0.05, 0.3}) {
    for (double u = -6 * eta; u < 8 * eta; u += eta / 7) {
      EXPECT_LE(below(u, eta), hinge(u)) << u;
      EXPECT_GE(above(u, eta), hinge(u) * (1 - 1e-15L)) << u;
    }
  }
}

TEST(Sandwich, HasTheTransformsOfItsFunctions) {
  for (const auto& [theta, eta, t] : points()) {
    const Sandwich::Values values = Sandwich(theta, eta).at(t);
    const Complex upper = transform([&](long double u) { return above(u, eta); }, theta, t, eta);
    const Complex lower = transform([&](long double u) { return below(u, eta); }, theta, t, eta);
    const long double allowed = (values.error + 1e-13) * values.size;
    EXPECT_LE(std::abs(upper - Complex(values.above)), allowed) << theta << ' ' << eta << ' ' << t;
    EXPECT_LE(std::abs(lower - Complex(values.below)), allowed) << theta << ' ' << eta << ' ' << t;
    EXPECT_LE(values.error, 1e-12);
  }
}

TEST(Sandwich, BoundsItsTransforms) {
  for (const auto& [theta, eta, t] : points()) {
    const Sandwich sandwich(theta, eta);
    const Sandwich::Values values = sandwich.at(t);
    EXPECT_GE(values.size * (1 + 1e-15), std::abs(values.above));
    EXPECT_GE(values.size * (1 + 1e-15), std::abs(values.below));
    EXPECT_GE(sandwich.bound(t), std::abs(values.above));
    EXPECT_GE(sandwich.bound(t), std::abs(values.below));
    EXPECT_LE(sandwich.bound(1.1 * t + 0.1), sandwich.bound(t));
  }
}

TEST(Sandwich, BoundsTheIntegralOfItsBound) {
  for (const auto& [theta, eta, t] : points()) {
    const Sandwich sandwich(theta, eta);
    double integral = 0;
    for (double s = t; s < t + 12 / eta;) {
      const double step = 1e-3 * (s + theta);
      integral += step * sandwich.bound(s + step);  // from below, since the bound falls
      s += step;
    }
    EXPECT_GE(sandwich.bound_beyond(t), integral) << theta << ' ' << eta << ' ' << t;
    EXPECT_LE(sandwich.bound_beyond(t), 40 * integral) << theta << ' ' << eta << ' ' << t;
  }
}

}  // namespace
}  // namespace vernier::accounting::fourier
