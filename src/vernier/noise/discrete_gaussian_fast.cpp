#include "vernier/noise/discrete_gaussian_fast.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "vernier/numeric/ball.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::noise {

using numeric::Ball;
using numeric::DoubleDouble;
using numeric::Precision;

namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double sqrt_2_pi = 2.50662827463100050242;
constexpr double two_pi_squared = 19.739208802178717238;
constexpr int most_terms = 14;

// c_j = -2 (-1)^j eta(2j + 2) / (2 pi)^(2j + 2) = -1/24, 7/5760, ..., each within half an ulp.
std::array<double, most_terms> midpoint_coefficients() {
  constexpr Precision precision{128};
  const Ball one = Ball::of(1, precision);
  const Ball two_pi = times_power_of_two(Ball::pi(precision), 1);
  std::array<double, most_terms> c{};
  for (std::size_t j = 0; j < c.size(); ++j) {
    const Ball eta = (one - times_power_of_two(one, -static_cast<long>(2 * j + 1))) * Ball::zeta(2 * j + 2, precision);
    const double size = (times_power_of_two(eta, 1) / power(two_pi, 2 * j + 2)).nearest();
    c[j] = j % 2 == 0 ? -size : size;
  }
  return c;
}

double integer_power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result *= base;
    base *= base;
  }
  return result;
}

// h abs(R) after p terms: R_in of discrete_gaussian.md, and 1e-68 for R_out. The proof needs 0.0732, not 0.075; the
// difference pays for rounding here.
double midpoint_remainder(double h, double z, int p) {
  constexpr double four_pi_squared = 2 * two_pi_squared;
  const double square = z * z + 2 * p + 1;
  const double inner = 0.075 * h * h * std::sqrt(square) * integer_power(h * h * square / four_pi_squared, p);
  return inner + 1e-68;
}

UpperSum sum_by_expansion(double s, double c, const SeriesCut& cut) {
  const double z = c / s;
  const double mills = numeric::mills(z);
  const Enclosed series = midpoint_series(1 / s, z, cut.terms);
  const double bracket = mills + series.value;
  const double error = (5 * u * mills + series.error + cut.remainder) / bracket + 4 * u;
  return {{s * bracket, error}, half_square(c, s)};
}

// w(k) (1 + the sum of exp(-y), y = i (2k + i) / (2 s^2)), cut where y reaches 40: the rest is below u / 16. A y is off
// by 4 u y, an exp by 4 u, each addition by u.
UpperSum sum_by_terms(double s, double k) {
  const double half_inverse = 0.5 / (s * s);
  const double reach = 80 * s * s;
  const double terms = std::floor(reach / (k + std::sqrt(k * k + reach))) + 1;
  double sum = 0;
  double moment = 0;  // the sum of y exp(-y)
  for (double i = terms; i >= 1; --i) {
    const double y = i * (2 * k + i) * half_inverse;
    const double term = std::exp(-y);
    sum += term;
    moment += y * term;
  }
  const double error = (4 * moment + (terms + 6) * sum) * u / (1 + sum) + 2 * u;
  return {{1 + sum, error}, half_square(k, s)};
}

}  // namespace

// From s = 1 on Jacobi's dual sum, whose third term is below 1e-76; below, the plain sum up to exponent 60.
Approximation fast_gaussian_total(double s) {
  if (s >= 1) {
    const double q = std::exp(-two_pi_squared * s * s);
    return {s * sqrt_2_pi * (1 + 2 * (q + q * q * q * q)), 6 * u};
  }
  const double half_inverse = 0.5 / (s * s);
  double sum = 0;
  for (double x = std::floor(9 * s) + 2; x >= 1; --x) sum += std::exp(-x * x * half_inverse);
  return {1 + 2 * sum, 16 * u};
}

DoubleDouble half_square(double c, double s) {
  const DoubleDouble square = numeric::two_product(s, s);
  return numeric::quotient(numeric::two_product(c, c), {2 * square.hi, 2 * square.lo});
}

double exp_minus(const DoubleDouble& exponent) { return std::exp(-exponent.hi) * (1 - exponent.lo); }

std::optional<SeriesCut> midpoint_cut(double h, double z, double allowed) {
  for (const int p : {1, 2, 3, 5, 7, 9, 11, most_terms}) {
    const double remainder = midpoint_remainder(h, z, p);
    if (remainder <= allowed) return SeriesCut{p, remainder};
  }
  return std::nullopt;
}

// Sum over j < p of c_j h^(2j+2) He_(2j+1)(z). The same recurrence with plus signs bounds the rounding: He_n collects
// 4 roundings in each of its n steps, a term 4j + 8 more, and the sum one for each term.
Enclosed midpoint_series(double h, double z, int terms) {
  static const std::array<double, most_terms> c = midpoint_coefficients();
  const double size = std::fabs(z);
  const double h_squared = h * h;
  double before = 1, value = z, size_before = 1, size_value = size, power = h_squared, sum = 0, error = 0;
  for (int j = 0; j < terms; ++j) {
    const double scaled = c[static_cast<std::size_t>(j)] * power;
    const int n = 2 * j + 1;
    sum += scaled * value;
    error += std::fabs(scaled) * size_value * (4 * n + 4 * j + 8 + terms);
    power *= h_squared;
    before = z * value - n * before;
    size_before = size * size_value + n * size_before;
    value = z * before - (n + 1) * value;
    size_value = size * size_before + (n + 1) * size_value;
  }
  return {sum, error * u};
}

UpperSum fast_upper_sum(double s, double m) {
  const double c = m + 0.5;
  const double z = c / s;
  if (s < 8 || z > s) return sum_by_terms(s, m + 1);
  const std::optional<SeriesCut> cut = midpoint_cut(1 / s, z, u / 8 / (z + 1));  // M(z) > 1 / (z + 1)
  return cut ? sum_by_expansion(s, c, *cut) : sum_by_terms(s, m + 1);
}

std::optional<Bounds> fast_outside(double s, std::int64_t a) {
  const UpperSum sum = fast_upper_sum(s, static_cast<double>(a));
  if (sum.exponent.hi > greatest_exponent) return std::nullopt;
  const Approximation total = fast_gaussian_total(s);
  const double value = 2 * sum.factor.value * exp_minus(sum.exponent) / total.value;
  const double error = sum.factor.error + exp_error + total.error + 8 * u;
  return Bounds{value * (1 - error), std::min(value * (1 + error), 1.0)};
}

}  // namespace vernier::noise
