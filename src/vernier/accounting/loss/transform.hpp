#pragma once

#include <algorithm>
#include <cmath>
#include <complex>

#include "vernier/accounting/loss/loss_law.hpp"
#include "vernier/numeric/roundoff.hpp"

// What the closed forms share; closed_forms.md has the proofs.
namespace vernier::accounting {

// Added to errors for what underflows: k releases of it, k below 1e12, are still nothing.
inline constexpr double negligible = 1e-250;

// Variances are at least this, so that one may divide by them where the true one is below all doubles.
inline constexpr double least_variance = 1e-300;

// e^(i angle), within library_units * 2^-53.
inline std::complex<double> turn(double angle) { return {std::cos(angle), std::sin(angle)}; }

// a b, within 3 * 2^-53 of its size (Brent, Percival and Zimmermann 2007: sqrt(5)).
inline std::complex<double> times(const std::complex<double>& a, const std::complex<double>& b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// Where nothing is known, or nothing finite came out, 0 is within 1 of every characteristic function.
inline Frequency known(const std::complex<double>& value, double error) {
  return error < 1 ? Frequency{value, error} : Frequency{{0, 0}, 1};
}

// head + rest - centre with a relative error of at most 2 * 2^-53; head + rest is a number known to twice the digits.
inline double from_centre(double head, double rest, double centre) { return (head - centre) + rest; }

}  // namespace vernier::accounting
