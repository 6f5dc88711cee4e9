#include "vernier/numeric/mills.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
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

}  // namespace vernier::numeric
