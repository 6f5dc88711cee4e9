#pragma once

namespace vernier::accounting {

// The trapezoidal rule for int phi(x) (1 - q + q e^(mu x - mu^2/2))^(power + is) dx over the real line, phi the normal
// density, for 0 <= s <= reach: exponentially accurate, since the integrand is analytic around the line.
// sampled_gaussian.md.
class Trapezoid {
 public:
  // `least_peak` is not above where phi(x) (1 - q + q e^(..))^power has its peak; it counts for negative powers only.
  Trapezoid(double mu, double power, double least_peak, double reach)
      : mu_(mu), power_(power), least_peak_(least_peak), reach_(reach) {}

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
};

}  // namespace vernier::accounting
