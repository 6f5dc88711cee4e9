#pragma once

#include <complex>

#include "vernier/accounting/loss/mixture.hpp"

namespace vernier::accounting {

// A change of a complex logarithm: abs(value - exact) <= units 2^-53.
struct ComplexChange {
  std::complex<double> value;
  double units;
};

struct ComplexBend {
  ComplexChange change;
  ComplexChange from_line;
};

inline constexpr double farthest_complex_move = 300;  // e^600 is still a double

// Mixture::bend for a move off the real line: Log(outside + inside e^move), and the same less the line, where
// abs(Re move) <= farthest_complex_move and 0 < Im move <= pi/2, both known to 1.1 units relatively.
// sampled_gaussian.md has the errors.
ComplexBend complex_bend(const Mixture& mixture, const std::complex<double>& move);

}  // namespace vernier::accounting
