#include "vernier/accounting/renyi_conversion.hpp"

#include <algorithm>
#include <cmath>

#include "vernier/numeric/rounding.hpp"
#include "vernier/numeric/roundoff.hpp"

namespace vernier::accounting {
namespace {

using numeric::Ball;

constexpr double u = numeric::unit_roundoff;
constexpr double second_order = 1.01;  // pays for products of errors

// ln(1 + 1/b), where 1/b was rounded.
Approximate log_ratio(double b) {
  const double value = std::log1p(1 / b);
  return {value, (numeric::library_units + 1) * u * value};
}

// e^x, rounded up.
double exponential_up(double x) {
  if (x < -700 || x > 700) return numeric::exp_up(x);
  return std::exp(x) * (1 + (numeric::library_units + 2) * u);
}

}  // namespace

// ln delta = b (excess - ln(1 + 1/b)) - ln(1 + b)
Approximate log_delta_at_order(double b, Approximate excess) {
  const Approximate ratio = log_ratio(b);
  const double inner = excess.value - ratio.value;
  const double last = std::log1p(b);
  const double value = b * inner - last;
  const double error = b * (excess.error + ratio.error + 2 * u * std::fabs(inner)) +
                       u * (numeric::library_units * last + 2 * std::fabs(value));
  return {value, second_order * error};
}

double delta_at_order(double b, Approximate excess) {
  const Approximate log_delta = log_delta_at_order(b, excess);
  return std::min(exponential_up(log_delta.value + log_delta.error), 1.0);
}

Approximate epsilon_at_order(double b, Approximate divergence, double delta) {
  const Approximate ratio = log_ratio(b);
  const double log_delta = -std::log(delta), log_order = std::log1p(b);
  const double share = (log_delta - log_order) / b;
  const double share_error = u * (numeric::library_units * (log_delta + log_order) / b + 2 * std::fabs(share));
  const double value = (divergence.value + share) - ratio.value;
  const double sums = u * (std::fabs(divergence.value + share) + std::fabs(value));
  return {value, second_order * (divergence.error + share_error + ratio.error + sums)};
}

Ball epsilon_at_order(double b, const Ball& divergence, double delta) {
  const numeric::Precision precision = divergence.precision();
  const Ball excess = Ball::of(b, precision);
  const Ball share = -(log(Ball::of(delta, precision)) + log1p(excess)) / excess;
  return divergence + share - log1p(Ball::of(1, precision) / excess);
}

}  // namespace vernier::accounting
