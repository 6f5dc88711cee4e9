// The fast way to delta. Every error term is derived in discrete_gaussian.md.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "vernier/mechanism/discrete_gaussian_curve.hpp"
#include "vernier/noise/discrete_gaussian_fast.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::mechanism {

using noise::Approximation;
using noise::Enclosed;
using numeric::DoubleDouble;

namespace {

constexpr double u = numeric::unit_roundoff;
constexpr double widest_error = 4e-13;           // relative; beyond, balls answer
constexpr double least_held = 1e-305;            // below, doubles are coarse
constexpr double greatest_sensitivity = 0x1p50;  // sums with it stay exact
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least = std::numeric_limits<double>::denorm_min();
constexpr double far_below = -6;  // k this many scales below 0: delta is nearly 1

// Where the sum begins: t, the integer k above it, and gap = k - t, which is off by 2 u gap + gap_error.
struct Threshold {
  double t;
  double k;
  double gap;
  double gap_error;
};

// t as a pair of doubles. Just above an integer (within its error) that integer is taken for k: the term at x = t is 0.
Threshold threshold_of(const DiscreteGaussianPoint& at) {
  const DoubleDouble square = numeric::two_product(at.scale, at.scale);
  const DoubleDouble crossing = numeric::quotient(numeric::product(square, at.epsilon), {at.sensitivity, 0});
  const DoubleDouble t = numeric::sum(crossing, -0.5 * at.sensitivity);
  const double error = 32 * u * u * (crossing.hi + at.sensitivity);
  const double m = t.lo < 0 && t.hi == std::floor(t.hi) ? t.hi - 1 : std::floor(t.hi);
  const double k = (t.hi - m) + t.lo <= error ? m : m + 1;
  return {t.hi, k, std::max((k - t.hi) - t.lo, 0.0), 2 * error};
}

// The mean of G over [b - a, b + a], b - a >= -0.7, by Gauss's rule: positive terms only, relative error 16 u.
constexpr double mean_slope_error = 16 * u;
template <std::size_t Pairs>
double mean_slope(double a, double b, const std::array<double, Pairs>& nodes,
                  const std::array<double, Pairs>& weights) {
  double sum = 0;
  for (std::size_t i = 0; i < Pairs; ++i) {
    sum += weights[i] * (numeric::mills_slope(b - a * nodes[i]) + numeric::mills_slope(b + a * nodes[i]));
  }
  return 0.5 * sum;
}
double mean_slope(double a, double b) {
  if (a < 0x1p-6) {
    constexpr std::array nodes = {0.33998104358485626480, 0.86113631159405257522};
    constexpr std::array weights = {0.65214515486254614263, 0.34785484513745385737};
    return mean_slope(a, b, nodes, weights);
  }
  constexpr std::array nodes = {0.18343464249564980494, 0.52553240991632898582, 0.79666647741362673959,
                                0.96028985649753623168};
  constexpr std::array weights = {0.36268378337836198297, 0.31370664587788728734, 0.22238103445337447054,
                                  0.10122853629037625915};
  return mean_slope(a, b, nodes, weights);
}

// M at a rounded argument.
Enclosed mills_at(double z) {
  const double value = numeric::mills(z);
  return {value, value * (z < -1 ? 10 + 3 * z * z : 7) * u};
}

// M(z1) - M(z2), z1 = c / s and z2 = (c + D) / s.
Enclosed mills_difference(const DiscreteGaussianPoint& at, double c) {
  const double a = 0.5 * at.sensitivity / at.scale;
  const double z1 = c / at.scale;
  if (a < 0.25 && z1 > -0.7) {
    const double value = 2 * a * mean_slope(a, (c + 0.5 * at.sensitivity) / at.scale);
    return {value, value * (mean_slope_error + 3 * u)};
  }
  const Enclosed first = mills_at(z1);
  const Enclosed second = mills_at((c + at.sensitivity) / at.scale);
  const double value = first.value - second.value;
  return {value, first.error + second.error + u * std::fabs(value)};
}

// delta = factor exp(-exponent) / total, kept apart: delta itself may be below all doubles.
struct Parts {
  Approximation factor;
  DoubleDouble exponent;
  Approximation total;

  // An infinite error where doubles are too coarse for it.
  Approximation delta() const {
    const double value = factor.value * noise::exp_minus(exponent) / total.value;
    const bool held = exponent.hi <= noise::greatest_exponent && value >= least_held;
    return {value, held ? factor.error + total.error + noise::exp_error + 4 * u : infinity};
  }
  double log_delta() const {
    return (std::log(std::max(factor.value, least_held) / total.value) - exponent.hi) - exponent.lo;
  }
};
constexpr Parts unknown{{0.5, infinity}, {0, 0}, {1, 0}};

Parts parts_of(const Approximation& factor, const DoubleDouble& exponent, double s) {
  return {factor, exponent, noise::fast_gaussian_total(s)};
}

// Large scales, c = k - 1/2: delta total = s e^(-z1^2/2) { [M(z1) - M(z2)] - (rho - 1) M(z2) + series }, with
// rho = exp((D / s^2) (1/2 - gap)), the weights' share of e^epsilon.
Parts delta_by_expansion(const DiscreteGaussianPoint& at, const Threshold& from) {
  const double s = at.scale, h = 1 / s, c = from.k - 0.5;
  const double z1 = c / s, z2 = (c + at.sensitivity) / s;
  const double farthest = std::max(z2, std::fabs(z1));
  const double allowed = u * std::min(1.0, 0.5 * at.sensitivity * h / (1 + farthest)) / (1 + farthest);
  const std::optional<noise::SeriesCut> cut = noise::midpoint_cut(h, farthest, allowed);
  if (!cut) return unknown;
  const double rate = at.sensitivity / (s * s);
  const double excess = std::expm1(rate * (0.5 - from.gap));  // rho - 1
  const double excess_error = 10 * u * std::fabs(excess) + (1 + excess) * rate * (from.gap_error + 4 * u);
  const Enclosed difference = mills_difference(at, c);
  const Enclosed second = mills_at(z2);
  const Enclosed near = noise::midpoint_series(h, z1, cut->terms);
  const Enclosed shifted = noise::midpoint_series(h, z2, cut->terms);
  const double series = near.value - (1 + excess) * shifted.value;
  const double value = difference.value - excess * second.value + series;
  const double series_error = near.error + (1 + excess) * shifted.error + excess_error * std::fabs(shifted.value) +
                              4 * u * (std::fabs(near.value) + (1 + excess) * std::fabs(shifted.value));
  const double error = difference.error + std::fabs(excess) * second.error +
                       (excess_error + 2 * u * std::fabs(excess)) * second.value + series_error +
                       (2 + excess) * cut->remainder + 2 * u * (difference.value + std::fabs(series));
  return parts_of({s * value, error / value + 2 * u}, noise::half_square(c, s), s);
}

// Large scales, and a sensitivity so large that e^epsilon w(x + D), which falls from w(k) by a factor of at least
// e^-1.2 from term to term, is summed term by term: delta total = s e^(-z1^2/2) { M(z1) + series } - that sum.
Parts delta_with_short_shift(const DiscreteGaussianPoint& at, const Threshold& from) {
  const double s = at.scale, k = from.k, c = k - 0.5, z = c / s;
  const std::optional<noise::SeriesCut> cut = noise::midpoint_cut(1 / s, std::fabs(z), u / (1 + std::fabs(z)));
  if (!cut) return unknown;
  const double rate = at.sensitivity / (s * s), half_inverse = 0.5 / (s * s);
  double shifted = 0, shifted_error = 0;
  for (double i = 36; i >= 0; --i) {
    const double grown = i * (2 * k + i) * half_inverse + (k - 0.25) * half_inverse;  // relative to e^(-z^2/2)
    const double fallen = rate * (i + from.gap);
    const double term = std::exp(-(grown + fallen));
    shifted += term;
    shifted_error += term * ((std::fabs(grown) + fallen) * 6 * u + rate * from.gap_error + 44 * u);
  }
  const Enclosed mills = mills_at(z);
  const Enclosed series = noise::midpoint_series(1 / s, z, cut->terms);
  const double value = s * (mills.value + series.value) - shifted;
  const double error = s * (mills.error + series.error + cut->remainder + 3 * u * mills.value) + shifted_error;
  return parts_of({value, error / value + 2 * u}, noise::half_square(c, s), s);
}

// k far below 0: delta = 1 - P[X >= 1 - k] - e^epsilon P[X >= k + D], where both parts are below 1e-7.
Parts delta_from_one(const DiscreteGaussianPoint& at, const Threshold& from) {
  const noise::UpperSum left = noise::fast_upper_sum(at.scale, -from.k);
  const noise::UpperSum right = noise::fast_upper_sum(at.scale, from.k + at.sensitivity - 1);
  const double total = noise::fast_gaussian_total(at.scale).value;
  const double lost = left.factor.value * noise::exp_minus(left.exponent) / total;
  const double shifted = right.factor.value * std::exp((at.epsilon - right.exponent.hi) - right.exponent.lo) / total;
  const double value = (1 - lost) - shifted;
  // Of the two parts 1e-12 is known, and e^epsilon w to its exponent's rounding.
  const double error = 1e-12 * (lost + shifted) + 4 * u * (at.epsilon + right.exponent.hi) * shifted + 4 * u;
  return {{value, error / value}, {0, 0}, {1, 0}};
}

// exp(-y) of the sum below and the share 1 - exp(-(D / s^2) (x - t)) that e^epsilon leaves of it. y is off by 4 u y.
struct TermSum {
  double rate;
  const Threshold& from;
  double sum = 0;
  double error = 0;
  void add(double i, double y) {
    const double distance = i + from.gap;
    const double weight = std::exp(-y);
    const double term = weight * -std::expm1(-rate * distance);
    sum += term;
    error += term * (16 + 4 * y) * u + weight * std::min(rate, 1 / distance) * from.gap_error;
  }
};

// All terms positive, from the far end. Cut 42 in y beyond the second term: the rest is below 2 u of it.
Parts delta_by_terms(const DiscreteGaussianPoint& at, const Threshold& from) {
  const double s = at.scale, k = from.k;
  const double half_inverse = 0.5 / (s * s);
  const double reach = 84 * s * s;
  TermSum terms{at.sensitivity / (s * s), from};
  const double base = std::max(k, 0.0);
  const double last =
      k > 0 ? std::floor(reach / (k + 1 + std::sqrt((k + 1) * (k + 1) + reach))) + 2 : std::floor(9.2 * s) + 2 - k;
  for (double i = last; i >= 0; --i) {
    const double x = k + i;
    terms.add(i, (k > 0 ? i * (2 * k + i) : x * x) * half_inverse);
  }
  const DoubleDouble exponent = noise::half_square(base, s);
  return parts_of({terms.sum, terms.error / terms.sum + (last + 4) * u}, exponent, s);
}

// From 39 scales on delta <= P[X >= k] is below the least positive double.
bool underflows(const DiscreteGaussianPoint& at, const Threshold& from) {
  return std::max(from.t, from.k) > (1 + 8 * u) * noise::scales_to_underflow * at.scale;
}

Parts parts_at(const DiscreteGaussianPoint& at, const Threshold& from) {
  const double s = at.scale, c = from.k - 0.5;
  if (from.k < far_below * s) return delta_from_one(at, from);
  if (s < 8 || c > s * s) return delta_by_terms(at, from);
  return c + at.sensitivity <= 1.2 * s * s ? delta_by_expansion(at, from) : delta_with_short_shift(at, from);
}

}  // namespace

std::optional<Bounds> fast_delta(const DiscreteGaussianPoint& at) {
  if (at.sensitivity > greatest_sensitivity) return std::nullopt;
  const Threshold from = threshold_of(at);
  if (underflows(at, from)) return Bounds{0, least};
  const Approximation delta = parts_at(at, from).delta();
  const double error = delta.error + 4 * u;
  if (!(error <= widest_error)) return std::nullopt;
  return Bounds{delta.value * (1 - error), std::min(delta.value * (1 + error), 1.0)};
}

// Large scales that far out have no expansion; there ln P[X >= k] is about -k^2 / (2 s^2).
double estimated_log_delta(const DiscreteGaussianPoint& at) {
  if (at.sensitivity > greatest_sensitivity) return std::log(delta_at(at).upper);
  const Threshold from = threshold_of(at);
  if (underflows(at, from) && at.scale >= 8) return -noise::half_square(from.k, at.scale).hi;
  return parts_at(at, from).log_delta();
}

}  // namespace vernier::mechanism
