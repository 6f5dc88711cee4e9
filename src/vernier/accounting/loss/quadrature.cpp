#include "vernier/accounting/loss/quadrature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <arb_hypgeom.h>

#include "vernier/numeric/ball.hpp"

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

// ln of what the integral of abs(phi(x) (1 - q + q e^(..))^power) grows by, at most, on Im x = a.
double log_growth(double mu, double power, double least_peak, double a) {
  const double angle = mu * a, plain = a * a / 2;
  if (power >= 0) return plain;
  const double by_modulus = power * std::log(std::cos(angle / 2));
  if (angle >= nearly * pi / 2) return plain + by_modulus;
  const double by_shift = -std::log(std::cos(angle)) / mu * (1 - least_peak);
  return plain + std::min(by_modulus, by_shift);
}

// e^-y and what rounding may make of it, for 1 / (e^y - 1) < 2 e^-y, y > 1.
double error_of(double turns, double grows) {
  const double exponent = turns - grows, slack = 1e-14 * (turns + grows) + 1e-9;
  return exponent - slack > 1 ? 4 * std::exp(slack - exponent) : 1;
}

constexpr double wanted_off_line = 37.5;  // 4 e^-37.5 < 3e-16, far below the rounding of its nodes
constexpr double highest_line = 1.5;
constexpr double most_growth = 1.25;        // of the sum of absolute values: 3.5
constexpr double most_growth_at_edge = 10;  // of the strip

}  // namespace

double Trapezoid::cost(double a) const { return log_growth(mu_, power_, least_peak_, a) + reach_ * (mu_ * a); }

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

double Trapezoid::error(double step) const { return error_of(2 * pi * height_ / step, cost(height_)); }

// The strip reaches from the real line to twice the height.
ShiftedTrapezoid::ShiftedTrapezoid(double mu, double power, double least_peak)
    : height_(std::min(highest_line, nearly * pi / (2 * mu))) {
  const auto growth = [&](double a) { return log_growth(mu, power, least_peak, a); };
  for (int step = 0; step < 400 && (growth(height_) > most_growth || growth(2 * height_) > most_growth_at_edge);
       ++step) {
    height_ *= 0.85;
  }
  const double edge = growth(2 * height_);
  step_ = with_24_bits(2 * pi * height_ / (wanted_off_line + edge));
  error_ = error_of(2 * pi * height_ / step_, edge);
}

namespace {

GaussLegendre make() {
  constexpr numeric::Precision precision{160};
  GaussLegendre rule{};
  arb_t root, weight;
  arb_init(root);
  arb_init(weight);
  for (std::size_t i = 0; i < GaussLegendre::count; ++i) {
    arb_hypgeom_legendre_p_ui_root(root, weight, GaussLegendre::count, i, precision.bits);
    rule.weights[i] = numeric::Ball::from_raw(weight, precision).nearest();
    arb_add_ui(root, root, 1, precision.bits);
    rule.from_left[i] = numeric::Ball::from_raw(root, precision).nearest();
  }
  arb_clear(root);
  arb_clear(weight);
  return rule;
}

}  // namespace

const GaussLegendre& gauss_legendre() {
  static const GaussLegendre rule = make();
  return rule;
}

}  // namespace vernier::accounting
