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

// Every height is valid, a good one saves nodes. The cost is nearly a parabola; without its linear term, which moves no
// optimum, 1 / step is least at about a = sqrt(2 wanted / curvature).
double Trapezoid::best_height() const {
  const double highest = nearly * pi / mu_;
  if (power_ >= 0) return std::min(std::sqrt(2 * wanted), highest);
  const double curvature = 1 + std::min(-power_ * mu_ * mu_ / 4, mu_ * (1 - least_peak_));
  const double middle = std::min(std::sqrt(2 * wanted / curvature), highest);
  double best = middle;
  for (const double height : {0.85 * middle, 0.7 * middle, 0.5 * middle}) {
    if (step_at(height) > step_at(best)) best = height;
  }
  return best;
}

double Trapezoid::step() const { return with_24_bits(step_at(height_)); }

double Trapezoid::error(double step) const {
  const double turns = 2 * pi * height_ / step, grows = cost(height_), exponent = turns - grows;
  const double slack = 1e-14 * (turns + grows) + 1e-9;
  return exponent - slack > 1 ? 4 * std::exp(slack - exponent) : 1;  // 2 / (e^y - 1) < 4 e^-y for y > 1
}

}  // namespace vernier::accounting
