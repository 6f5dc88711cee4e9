#pragma once

#include <cmath>
#include <complex>

// The hinge (1 - e^-u)+ between two smooth functions, whose transforms fall off like e^(-eta^2 t^2 / 2):
//     below(u) = (1 - e^-u) Phi(u / eta)  <=  (1 - e^-u)+  <=  above(u) = E[(1 - e^-(u + G))+],
// G the loss of a Gaussian release of mu = eta. Each costs about (1 + theta) eta^2 / 2 in epsilon. inversion.md has the
// proofs.
namespace vernier::accounting::fourier {

// abs(z) within 3 units in the last place: the C library takes several times as long for the last of them.
inline double size_of(const std::complex<double>& z) { return std::sqrt(std::norm(z)); }

class Sandwich {
 public:
  Sandwich(double theta, double eta);

  struct Values {  // the transforms at theta + it: the integral of e^-zu times the function
    std::complex<double> above;
    std::complex<double> below;
    double error;  // relative to size: the computed values are off by at most error * size
    double size;   // at least abs of either
  };
  Values at(double t) const;

  // At least abs of either transform at t; falls as t grows.
  double bound(double t) const;
  // At least the integral of bound over [t, infinity).
  double bound_beyond(double t) const;

  double eta() const { return eta_; }

 private:
  double theta_;
  double eta_;
  double half_;        // eta^2 / 2
  double lift_above_;  // e^(half (theta + theta^2))
  double lift_below_;  // e^(half theta^2)
  double dent_;        // e^(half (2 theta + 1)) - 1
};

}  // namespace vernier::accounting::fourier
