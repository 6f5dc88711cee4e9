#include "vernier/accounting/composition.hpp"

#include <algorithm>

#include "vernier/numeric/rounding.hpp"

namespace vernier::accounting {

BasicTotal basic_total(Statements statements) {
  double delta = 0;
  for (const Statement& one : statements) delta = numeric::add_up(delta, numeric::multiply_up(one.times, one.delta));
  return {sum_of_epsilons(statements).upper, std::min(delta, 1.0)};
}

namespace {

using numeric::add_up, numeric::divide_down, numeric::multiply_down, numeric::multiply_up, numeric::sqrt_up;

// At least epsilon tanh(epsilon / 2), the mean loss of randomised response: tanh(x / 2) = (1 - e^-x) / (1 + e^-x).
double mean_loss_up(double epsilon) {
  const double above = 0 - numeric::expm1_down(-epsilon);
  const double below = numeric::add_down(1, numeric::exp_down(-epsilon));
  return multiply_up(epsilon, numeric::divide_up(above, below));
}

// What Hoeffding's inequality needs of the summed loss, rounded up.
struct Moments {
  double mean = 0;
  double squares = 0;
};

Moments moments(Statements statements) {
  Moments sum;
  for (const Statement& one : statements) {
    const double epsilon = one.epsilon.upper;
    sum.mean = add_up(sum.mean, multiply_up(one.times, mean_loss_up(epsilon)));
    sum.squares = add_up(sum.squares, multiply_up(one.times, multiply_up(epsilon, epsilon)));
  }
  return sum;
}

// sqrt(2 ln(1 / delta) squares)
double deviation_up(double delta, double squares) {
  const double log = 0 - numeric::log_down(std::min(delta, 1.0));
  return sqrt_up(multiply_up(multiply_up(2, log), squares));
}

}  // namespace

Result<double> advanced_epsilon(Statements statements, double delta) {
  const Bounds failure = any_failure(statements);
  const double sum = sum_of_epsilons(statements).upper;
  const double rest = without_failure(failure, delta).lower;
  if (!(rest >= 0)) return below_failure(failure, delta);
  if (rest == 0) return sum;
  const Moments total = moments(statements);
  return std::min(sum, add_up(total.mean, deviation_up(rest, total.squares)));
}

// delta' = exp(-(epsilon - mean)^2 / (2 squares)) above the mean, 1 below it, 0 from the sum of all epsilons on.
double advanced_delta(Statements statements, double epsilon) {
  const Bounds failure = any_failure(statements);
  if (epsilon >= sum_of_epsilons(statements).upper) return failure.upper;
  const Moments total = moments(statements);
  const double excess = numeric::subtract_down(epsilon, total.mean);
  if (!(excess > 0)) return 1;
  const double exponent = divide_down(multiply_down(excess, excess), multiply_up(2, total.squares));
  return with_failure(failure, {0, numeric::exp_up(-exponent)}).upper;
}

}  // namespace vernier::accounting
