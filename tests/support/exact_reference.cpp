#include "support/exact_reference.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace vernier::test {
namespace {

using numeric::Ball;
using numeric::Precision;

constexpr long least_bits = 256, most_bits = 4096;
constexpr double close_enough = 1e-12;

bool is_close(const Bounds& bounds) {
  return bounds.upper - bounds.lower <= close_enough * bounds.upper || std::fabs(bounds.upper) < 1e-310;
}

Bounds probability(const Bounds& bounds) { return {std::max(bounds.lower, 0.0), std::min(bounds.upper, 1.0)}; }

Ball normal_below(const Ball& x) { return times_power_of_two(erfc(-x / sqrt(Ball::of(2, x.precision()))), -1); }

Ball one(Precision precision) { return Ball::of(1, precision); }
Ball larger_of(const Ball& a, const Ball& b) {
  arb_t value;
  arb_init(value);
  arb_max(value, a.raw(), b.raw(), a.precision().bits);
  const Ball result = Ball::from_raw(value, a.precision());
  arb_clear(value);
  return result;
}

// delta of Gaussian noise at x = e^epsilon.
Ball gaussian_curve(const Ball& mu, const Ball& x) {
  const Ball half = times_power_of_two(mu, -1), threshold = log(x) / mu;
  return normal_below(half - threshold) - x * normal_below(-half - threshold);
}

// delta of Laplace noise at x = e^epsilon >= 1; 0 from the greatest loss on.
Ball laplace_curve(const Ball& greatest, const Ball& x) {
  const Ball above = greatest - log(x);
  if (less(above, Ball::of(0, x.precision())) != false) return Ball::of(0, x.precision());
  return -expm1(-times_power_of_two(above, -1));
}

// With U the curve of a pair that is its own mirror image, as functions of x:
// remove, integral of ((1 - q) Q + q P - x Q)+; add, integral of (P - x ((1 - q) P + q Q))+.
template <class Curve>
Ball sampled(const Curve& curve, const Ball& x, double rate) {
  const Ball q = Ball::of(rate, x.precision()), unit = one(x.precision());
  const Ball remove = q * curve(unit + (x - unit) / q);
  const Ball rest = unit - x * (unit - q);
  if (less(Ball::of(0, x.precision()), rest) != true) return remove;
  return larger_of(remove, rest * curve(x * q / rest));
}

Ball square(const Ball& x) { return x * x; }

}  // namespace

// Stops, too, where digits no longer help.
Reference refined(std::function<BallCurve(Precision)> prepare) {
  const auto prepared = std::make_shared<std::vector<BallCurve>>();
  return [prepare = std::move(prepare), prepared](double epsilon) {
    Bounds found{0, 1};
    double width = 2;
    for (long bits = least_bits, count = 0; bits <= most_bits; bits *= 2, ++count) {
      if (std::ssize(*prepared) == count) prepared->push_back(prepare(Precision{bits}));
      found = probability((*prepared)[static_cast<std::size_t>(count)](epsilon).bounds());
      if (is_close(found) || found.upper - found.lower > 0.5 * width) return found;
      width = found.upper - found.lower;
    }
    return found;
  };
}

Reference larger(Reference remove, Reference add) {
  return [remove = std::move(remove), add = std::move(add)](double epsilon) {
    const Bounds a = remove(epsilon), b = add(epsilon);
    return Bounds{std::max(a.lower, b.lower), std::max(a.upper, b.upper)};
  };
}

Reference exact_gaussians(std::vector<GaussianTerm> terms) {
  return refined([terms = std::move(terms)](Precision precision) -> BallCurve {
    Ball sum = Ball::of(0, precision);
    for (const GaussianTerm& term : terms) {
      sum = sum + Ball::of(term.times, precision) *
                      square(Ball::of(term.sensitivity, precision) / Ball::of(term.scale, precision));
    }
    return [mu = sqrt(sum)](double epsilon) { return gaussian_curve(mu, exp(Ball::of(epsilon, mu.precision()))); };
  });
}

Reference exact_sampled_gaussian(double scale, double sensitivity, double rate) {
  return refined([=](Precision precision) -> BallCurve {
    const Ball mu = Ball::of(sensitivity, precision) / Ball::of(scale, precision);
    return [=](double epsilon) {
      return sampled([&](const Ball& x) { return gaussian_curve(mu, x); }, exp(Ball::of(epsilon, precision)), rate);
    };
  });
}

Reference exact_sampled_laplace(double scale, double sensitivity, double rate) {
  return refined([=](Precision precision) -> BallCurve {
    const Ball greatest = Ball::of(sensitivity, precision) / Ball::of(scale, precision);
    return [=](double epsilon) {
      const auto curve = [&](const Ball& x) { return laplace_curve(greatest, x); };
      return sampled(curve, exp(Ball::of(epsilon, precision)), rate);
    };
  });
}

}  // namespace vernier::test
