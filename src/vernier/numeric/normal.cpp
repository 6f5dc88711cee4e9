#include "vernier/numeric/normal.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <vector>

#include "vernier/numeric/ball.hpp"

namespace vernier::numeric {
namespace {

constexpr std::size_t terms = 15;  // of a Taylor polynomial: degree 14
constexpr std::size_t cells = 68;  // of width 1/4, over [-1, 16)
constexpr double first_edge = -1;
constexpr double last_edge = 16;

using Coefficients = std::array<double, terms>;

double centre_of(std::size_t cell) { return first_edge + (static_cast<double>(cell) + 0.5) * 0.25; }

// M^(k)(c) / k! for k <= terms, from M' = x M - 1: (k + 1) m(k+1) = c m(k) + m(k-1). The recurrence loses up to 150
// bits where M' is small; the balls keep count, and 512 bits leave enough.
std::vector<Ball> taylor_of_mills(double centre) {
  constexpr Precision precision{512};
  const Ball c = Ball::of(centre, precision);
  const Ball half = Ball::of(0.5, precision);
  const Ball mills_at_centre = sqrt(Ball::pi(precision) * half) * exp(c * c * half) * erfc(c * sqrt(half));
  std::vector<Ball> m = {mills_at_centre, c * mills_at_centre - Ball::of(1, precision)};
  for (std::size_t k = 1; k < terms; ++k) {
    m.push_back((c * m[k] + m[k - 1]) / Ball::of(static_cast<std::int64_t>(k + 1), precision));
  }
  return m;
}

struct Tables {
  std::array<Coefficients, cells> mills;
  std::array<Coefficients, cells> slope;

  Tables() {
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const std::vector<Ball> m = taylor_of_mills(centre_of(cell));
      for (std::size_t k = 0; k < terms; ++k) {
        mills[cell][k] = m[k].nearest();
        slope[cell][k] = (m[k + 1] * Ball::of(-static_cast<std::int64_t>(k + 1), m[k].precision())).nearest();
      }
    }
  }
};

const Tables& tables() {
  static const Tables built;
  return built;
}

double horner(const std::array<Coefficients, cells>& table, double x) {
  // Just below 16 the sum x + 1 rounds up to 17, which would be a cell too many.
  const auto cell = std::min(static_cast<std::size_t>((x - first_edge) * 4), cells - 1);
  const Coefficients& c = table[cell];
  const double d = x - centre_of(cell);
  double sum = c[terms - 1];
  for (std::size_t k = terms - 1; k-- > 0;) sum = sum * d + c[k];
  return sum;
}

// 1 - (2 first + 1) r (1 - (2 first + 3) r (...)): enveloping, so the error is below the first term left out.
double asymptotic(double x, int first) {
  const double r = 1 / (x * x);
  double sum = 1;
  for (int k = 14; k > first; --k) sum = 1 - (2 * k - 1) * r * sum;
  return sum;
}

}  // namespace

double mills(double x) {
  if (std::isnan(x)) return x;
  if (x >= last_edge) return asymptotic(x, 0) / x;
  if (x >= first_edge) return horner(tables().mills, x);
  constexpr double sqrt_2_pi = 2.50662827463100050242;
  return sqrt_2_pi * std::exp(0.5 * x * x) - mills(-x);
}

double mills_slope(double x) {
  if (std::isnan(x)) return x;
  if (x >= last_edge) return asymptotic(x, 1) / x / x;
  return horner(tables().slope, x);
}

namespace {

// z times the Mills ratio: 1 - 1/z^2 + 3/z^4 - 15/z^6 + ..., whose error is at most the first term left out.
Ball mills_series(const Ball& z_squared) {
  const Precision precision = z_squared.precision();
  const Ball enough = times_power_of_two(Ball::of(1, precision), -precision.bits);
  Ball sum = Ball::of(1, precision);
  Ball size = sum;  // of the term, without its sign
  for (int k = 1;; ++k) {
    size = size * Ball::of(2 * k - 1, precision) / z_squared;
    if (less(size, enough) == true) return widened(sum, size);
    sum = k % 2 == 0 ? sum + size : sum - size;
  }
}

bool is_far(const Ball& z, const Ball& z_squared) {
  const Precision precision = z.precision();
  return z.bounds().lower > 0 && less(Ball::of(2 * precision.bits, precision), z_squared) == true;
}

Ball near_integral(const Ball& z) {
  const Ball half_pi = times_power_of_two(Ball::pi(z.precision()), -1);
  return sqrt(half_pi) * erfc(z / sqrt(Ball::of(2, z.precision())));
}

}  // namespace

Ball normal_tail_integral(const Ball& z) {
  const Ball z_squared = power(z, 2);
  if (!is_far(z, z_squared)) return near_integral(z);
  return exp(-times_power_of_two(z_squared, -1)) * mills_series(z_squared) / z;
}

Ball mills_ratio(const Ball& z) {
  const Ball z_squared = power(z, 2);
  if (is_far(z, z_squared)) return mills_series(z_squared) / z;
  return exp(times_power_of_two(z_squared, -1)) * near_integral(z);
}

namespace {

constexpr double log_sqrt_2_pi = 0.91893853320467274178;

double first_guess(double log_tail) {
  const double t = -2 * log_tail;
  if (t < 3) return 0.63 * (t - 2 * std::numbers::ln2);
  return std::sqrt(t - 2 * log_sqrt_2_pi - std::log(t - 2));
}

}  // namespace

// Halley's step for ln Q = ln M - z^2/2 - ln sqrt(2 pi), whose derivatives are -1/M and -G/M^2. It triples the digits.
double normal_upper_point(double log_tail) {
  double z = first_guess(log_tail);
  for (int i = 0; i < 6; ++i) {
    const double m = mills(z);
    const double excess = std::log(m) - 0.5 * z * z - log_sqrt_2_pi - log_tail;
    const double step = excess * m / (1 + 0.5 * excess * (1 - z * m));
    z = std::max(z + step, -0.5);
    if (std::abs(step) < 1e-5) break;
  }
  return z;
}

// Newton's step for erf(z / sqrt 2), which is concave, from two terms of the inverse series.
double normal_central_point(double p) {
  constexpr double density_at_zero = 0.79788456080286535588;  // of abs(Z)
  double z = p / density_at_zero * (1 + std::numbers::pi / 12 * p * p);
  for (int i = 0; i < 6; ++i) {
    const double excess = std::erf(z / std::numbers::sqrt2) - p;
    const double step = excess / (density_at_zero * std::exp(-0.5 * z * z));
    z -= step;
    if (std::abs(step) <= 1e-9 * z) break;
  }
  return z;
}

}  // namespace vernier::numeric
