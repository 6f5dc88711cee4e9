#pragma once

#include "vernier/core/result.hpp"

// Numbers that carry their rule in their type: built once through `of`, valid ever after.
namespace vernier {

// A finite real number.
class Real {
 public:
  static Result<Real> of(double value);
  double value() const { return value_; }
  friend Real operator-(Real x) { return Real(-x.value_); }

 private:
  explicit Real(double value) : value_(value) {}
  double value_;
};

// A probability in [0, 1], both ends included.
class Probability {
 public:
  static Result<Probability> of(double value);
  double value() const { return value_; }

 private:
  explicit Probability(double value) : value_(value) {}
  double value_;
};

// The significance: the chance, at most, that a released number lies further from the exact one than is stated.
// Between 1e-300 and 0.999.
class Alpha {
 public:
  static Result<Alpha> of(double value);
  double value() const { return value_; }

 private:
  explicit Alpha(double value) : value_(value) {}
  double value_;
};

// The scale of a noise law is a positive number between these; the integer laws narrow it further (see noise/).
inline constexpr double least_scale = 1e-100;
inline constexpr double greatest_scale = 1e100;

// The scale of Laplace and geometric noise: the mean of abs(Laplace noise).
class LaplaceScale {
 public:
  static Result<LaplaceScale> of(double value);
  double value() const { return value_; }

 private:
  explicit LaplaceScale(double value) : value_(value) {}
  double value_;
};

// The scale of Gaussian and discrete Gaussian noise: the standard deviation of the Gaussian.
class Sigma {
 public:
  static Result<Sigma> of(double value);
  double value() const { return value_; }

 private:
  explicit Sigma(double value) : value_(value) {}
  double value_;
};

// The exact value lies in [lower, upper]; both ends are rounded outward.
struct Bounds {
  double lower;
  double upper;
  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace vernier
