#include <array>
#include <cmath>

#include "vernier/mechanism/gaussian_curve.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::mechanism {
namespace {

using numeric::Ball;
using numeric::mills;
using numeric::mills_slope;
using numeric::Precision;

constexpr double u = numeric::unit_roundoff;
constexpr double log_sqrt_2_pi = 0.91893853320467274178;
constexpr double log_error = 4 * u;  // of libm's logarithm, relatively: 2 ulp

// A node and a weight of Gauss and Legendre on [-1, 1]; the node stands for its mirror image too, and the weights of
// one rule sum to 1/2.
struct Node {
  double place;
  double weight;
};
constexpr std::array<Node, 2> four_points = {
    {{0.33998104358485626480, 0.65214515486254614263 / 2}, {0.86113631159405257522, 0.34785484513745385737 / 2}}};
constexpr std::array<Node, 4> eight_points = {{{0.18343464249564980494, 0.36268378337836198297 / 2},
                                               {0.52553240991632898582, 0.31370664587788728734 / 2},
                                               {0.79666647741362673959, 0.22238103445337447054 / 2},
                                               {0.96028985649753623168, 0.10122853629037625915 / 2}}};

struct MeanSlope {
  double value;
  double error;  // relatively
};

template <class Nodes>
MeanSlope by_quadrature(const Nodes& nodes, double a, double b) {
  double sum = 0;
  for (const Node& node : nodes) {
    sum += node.weight * (mills_slope(b - a * node.place) + mills_slope(b + a * node.place));
  }
  return {sum, 14 * u};
}

MeanSlope by_difference(double a, double b) {
  const double left = mills(b - a);
  const double right = mills(b + a);
  const double difference = left - right;
  return {difference / (2 * a), 6 * u * (left + right) / difference + 2 * u};
}

// Subtraction loses digits where a is small; there the integrand is positive and smooth.
MeanSlope mean_slope(double a, double b) {
  if (a < 0x1p-6) return by_quadrature(four_points, a, b);
  if (a < 0x1p-2) return by_quadrature(eight_points, a, b);
  return by_difference(a, b);
}

// a and b as balls.
struct Place {
  Ball left, right;  // b - a, b + a
  Place(const GaussianPoint& point, Precision precision) : left(Ball::of(0, precision)), right(left) {
    const Ball sensitivity = Ball::of(point.sensitivity, precision);
    const Ball sigma = Ball::of(point.sigma, precision);
    const Ball a = times_power_of_two(sensitivity / sigma, -1);
    const Ball b = Ball::of(point.epsilon, precision) * sigma / sensitivity;
    left = b - a;
    right = b + a;
  }
};

Ball root_two_pi(Precision precision) { return sqrt(times_power_of_two(Ball::pi(precision), 1)); }
Ball bell(const Ball& x) { return exp(-times_power_of_two(power(x, 2), -1)); }

}  // namespace

std::optional<LogDelta> log_delta(double a, double b) {
  const double x = b - a;
  if (!(x >= -1 && x <= 64)) return std::nullopt;
  const MeanSlope mean = mean_slope(a, b);
  const double log_difference = std::log(mean.value * 2 * a);
  const double value = log_difference - 0.5 * x * x - log_sqrt_2_pi;
  const double first_order = mean.error + 3 * u / mean.value + 2 * u * x * x + log_error * std::abs(log_difference) +
                             3 * u * std::abs(value) + 8 * u;
  const double error = first_order * (1 + 0x1p-6);
  if (!(error <= 0x1p-10)) return std::nullopt;
  return LogDelta{value, error, mean.value};
}

// With D_w = (b + a) G(b - a) - (b - a) G(b + a) the derivative of D in ln a: (1 - D_w / D) / mean_slope; as a goes to
// 0, D_w / D goes to 1 + b M''(b) / G(b).
double log_delta_curvature(double a, double b, double mean_slope) {
  if (a < 0x1p-6) return -b * (mills(b) - b * mills_slope(b)) / mills_slope(b) / mean_slope;
  const double x = b - a;
  const double y = b + a;
  const double derivative = y * mills_slope(x) - x * mills_slope(y);
  return (1 - derivative / (2 * a * mean_slope)) / mean_slope;
}

DeltaBalls gaussian_delta_and_fall(const GaussianPoint& point, Precision precision) {
  const Place at(point, precision);
  const Ball root = root_two_pi(precision);
  const Ball fall = bell(at.left) * numeric::mills_ratio(at.right) / root;
  return {numeric::normal_tail_integral(at.left) / root - fall, fall};
}

Ball gaussian_delta(const GaussianPoint& point, Precision precision) {
  return gaussian_delta_and_fall(point, precision).delta;
}

double lower_log(double delta) {
  const double value = std::log(delta);
  return value - (log_error + 2 * u) * std::abs(value);
}

double upper_log(double delta) {
  const double value = std::log(delta);
  return value + (log_error + 2 * u) * std::abs(value);
}

bool certainly_within_by_balls(const GaussianPoint& point, double delta) {
  constexpr Precision precision{256};
  return less(gaussian_delta(point, precision), Ball::of(delta, precision)) == true;
}

bool certainly_within(const GaussianPoint& point, double delta) {
  const std::optional<LogDelta> quick = log_delta(point.a(), point.b());
  if (quick && quick->value + quick->error <= lower_log(delta)) return true;
  return certainly_within_by_balls(point, delta);
}

}  // namespace vernier::mechanism
