#pragma once

#include "vernier/core/checked.hpp"

// Numbers that carry their rule in their type.
namespace vernier {

// A finite real number.
struct Real : Checked<Real> {
  static Result<void> check(double value);
  friend Real operator-(Real x) { return made(-x.value()); }
};

// A probability in [0, 1], both ends included.
struct Probability : Checked<Probability> {
  static Result<void> check(double value);
};

// The significance: the chance, at most, that a released number lies further from the exact one than is stated.
// Between 1e-300 and 0.999.
struct Alpha : Checked<Alpha> {
  static Result<void> check(double value);
};

// The scale of a noise law is a positive number between these; the integer laws narrow it further (see noise/).
inline constexpr double least_scale = 1e-100;
inline constexpr double greatest_scale = 1e100;
Result<void> check_scale(double value);

// The scale of Laplace and geometric noise: the mean of abs(Laplace noise).
struct LaplaceScale : Checked<LaplaceScale> {
  static Result<void> check(double value) { return check_scale(value); }
};

// The scale of Gaussian and discrete Gaussian noise: the standard deviation of the Gaussian.
struct Sigma : Checked<Sigma> {
  static Result<void> check(double value) { return check_scale(value); }
};

// The exact value lies in [lower, upper]; both ends are rounded outward.
struct Bounds {
  double lower;
  double upper;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace vernier
