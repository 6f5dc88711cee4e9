#include "vernier/accounting/loss/trapezoid.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vernier::accounting {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double wanted = 41.5;  // 2 e^-41.5 < 2e-18
constexpr double nearly = 1 - 0x1p-20;

double with_24_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  return std::ldexp(std::floor(std::ldexp(fraction, 24)), exponent - 24);
}

}  // namespace

double Trapezoid::cost(double a) const {
  const double angle = mu_ * a, plain = a * a / 2 + reach_ * angle;
  if (power_ >= 0) return plain;
  const double by_modulus = power_ * std::log(std::cos(angle / 2));
  if (angle >= nearly * pi / 2) return plain + by_modulus;
  const double by_shift = -std::log(std::cos(angle)) / mu_ * (1 - least_peak_);
  return plain + std::min(by_modulus, by_shift);
}

double Trapezoid::step_at(double a) const { return 2 * pi * a / (wanted + cost(a)); }

// Golden section; every height is valid, the best only saves nodes. Beyond sqrt(2 wanted) the density alone grows.
double Trapezoid::best_height() const {
  const double highest = std::min(std::sqrt(2 * wanted), nearly * pi / mu_);
  if (power_ >= 0) return highest;
  constexpr double section = 0.6180339887498949;
  double low = 0, high = highest;
  for (int i = 0; i < 20; ++i) {
    const double left = high - section * (high - low), right = low + section * (high - low);
    if (step_at(left) < step_at(right)) {
      low = left;
    } else {
      high = right;
    }
  }
  return 0.5 * (low + high);
}

double Trapezoid::step() const { return with_24_bits(step_at(best_height())); }

double Trapezoid::error(double step) const {
  const double a = best_height();
  const double grows = cost(a), exponent = 2 * pi * a / step - grows;
  const double slack = 1e-14 * (2 * pi * a / step + grows) + 1e-9;
  return exponent - slack > 1 ? 4 * std::exp(slack - exponent) : 1;  // 2 / (e^y - 1) < 4 e^-y for y > 1
}

}  // namespace vernier::accounting
