#pragma once

#include <functional>

#include "support/complex_ball.hpp"

namespace vernier::test {

// E[e^(zL)] of a loss L, in balls: the definition of its law, term by term or as it is written in textbooks.
using ExactTransform = std::function<ComplexBall(const ComplexBall&)>;

inline ComplexBall exact_cumulant(const ExactTransform& transform, const ComplexBall& z) { return log(transform(z)); }

// K at theta, and its first two derivatives by differences over 2^-80.
struct ExactCumulants {
  ExactCumulants(const ExactTransform& transform, double theta) : value(exact_cumulant(transform, theta)) {
    const ComplexBall h(0x1p-80);
    const ComplexBall after = exact_cumulant(transform, h + theta),
                      before = exact_cumulant(transform, ComplexBall(theta) - h);
    slope = ((after - before) / (h + h)).nearest().real();
    curvature = ((after - value + before - value) / (h * h)).nearest().real();
  }
  ComplexBall value;
  double slope, curvature;
};

// The characteristic function of the tilted law about the centre.
inline ComplexBall exact_phi(const ExactTransform& transform, double theta, double t, double centre) {
  const ComplexBall turned = exp(ComplexBall(0, -t) * centre);
  return turned * transform(ComplexBall(theta, t)) / transform(theta);
}

inline ExactTransform exact_gaussian(const ComplexBall& mu_squared) {
  return [=](const ComplexBall& z) { return exp(mu_squared * (z + z * z) / 2); };
}

inline ExactTransform exact_two_point(const ComplexBall& epsilon) {
  return [=](const ComplexBall& z) {
    return (exp(epsilon * (z + 1)) + exp(ComplexBall(0) - epsilon * z)) / (exp(epsilon) + 1);
  };
}

// Two atoms and the integral of the density e^(-(c-l)/2) / 4 between them.
inline ExactTransform exact_laplace(const ComplexBall& c) {
  return [=](const ComplexBall& z) {
    const ComplexBall up = exp(z * c), down = exp(ComplexBall(0) - c - z * c);
    return up / 2 + down / 2 + (up - down) / (ComplexBall(4) * (z + 0.5));
  };
}

// The sum over the noise x: at most 0, 1 to D - 1, and at least D.
inline ExactTransform exact_geometric(const ComplexBall& a, int sensitivity) {
  return [=](const ComplexBall& z) {
    const ComplexBall none(0), q = exp(none - a), shrink = exp(none - a - a * z - a * z);
    ComplexBall power = exp(a * z * sensitivity), inside(0);
    const ComplexBall top = power / (q + 1);
    for (int x = 1; x < sensitivity; ++x) {
      power = power * shrink;
      inside = inside + power;
    }
    return top + inside * (ComplexBall(1) - q) / (q + 1) + power * shrink / (q + 1);
  };
}

// The sum over the noise x within 25 scales of its tilted mean, of e^(-x^2 / (2 s^2)) e^(z (D^2 + 2 D x) / (2 s^2)),
// divided by the sum over x within 25 scales of 0; what is left out is below e^-300.
inline ExactTransform exact_discrete_gaussian(double scale, double sensitivity) {
  const auto sum = [=](const ComplexBall& z, double middle) {
    const ComplexBall none(0), s2 = ComplexBall(scale) * scale, twice = s2 + s2;
    const double reach = std::floor(25 * scale) + 25;
    const ComplexBall first(middle - reach), slope = z * sensitivity / s2, fall = exp(none - ComplexBall(1) / s2);
    ComplexBall term = exp(slope * first - first * first / twice), total(0);
    ComplexBall ratio = exp(slope - (first + first + 1) / twice);
    for (double i = 0; i <= 2 * reach; ++i) {
      total = total + term;
      term = term * ratio;
      ratio = ratio * fall;
    }
    return total;
  };
  return [=](const ComplexBall& z) {
    const double middle = std::nearbyint(z.nearest().real() * sensitivity);
    const ComplexBall shift = exp(z * sensitivity * sensitivity / (ComplexBall(2) * scale * scale));
    return shift * sum(z, middle) / sum(0, 0);
  };
}

}  // namespace vernier::test
