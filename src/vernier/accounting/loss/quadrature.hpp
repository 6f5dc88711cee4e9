#pragma once

#include <array>
#include <cstddef>

namespace vernier::accounting {

// The trapezoidal rule for int phi(x) (1 - q + q e^(mu x - mu^2/2))^(power + is) dx over the real line, phi the normal
// density, for 0 <= s <= reach: exponentially accurate, since the integrand is analytic around the line.
// sampled_gaussian.md.
class Trapezoid {
 public:
  // `least_peak` is not above where phi(x) (1 - q + q e^(..))^power has its peak; it counts for negative powers only.
  Trapezoid(double mu, double power, double least_peak, double reach)
      : mu_(mu), power_(power), least_peak_(least_peak), reach_(reach), height_(best_height()) {}

  double step() const;  // the widest, or nearly so, whose error is below 3e-18; of 24 bits
  // A bound on the error relative to the integral at s = 0, for any step.
  double error(double step) const;

 private:
  double cost(double a) const;  // ln of what the integrand grows by, at most, on Im x = a
  double step_at(double a) const;
  double best_height() const;

  double mu_;
  double power_;
  double least_peak_;
  double reach_;
  double height_;  // a, for which the error is stated
};

// The same for every frequency at once, on the line Im x = height > 0 (or its mirror image), where the factor of s is
// at most 1 in size whatever s >= 0 is. sampled_gaussian.md.
class ShiftedTrapezoid {
 public:
  ShiftedTrapezoid(double mu, double power, double least_peak);

  double height() const { return height_; }
  double step() const { return step_; }    // of 24 bits
  double error() const { return error_; }  // relative to the integral at s = 0

 private:
  double height_;
  double step_;
  double error_;
};

// Gauss's rule with 32 nodes on [-1, 1]; distances from -1 and weights are right to 2^-53 relatively, by Arb's balls.
struct GaussLegendre {
  static constexpr std::size_t count = 32;
  std::array<double, count> from_left;
  std::array<double, count> weights;
};

const GaussLegendre& gauss_legendre();

}  // namespace vernier::accounting
