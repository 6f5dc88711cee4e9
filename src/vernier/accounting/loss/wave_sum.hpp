#pragma once

#include <complex>
#include <cstddef>

#include "vernier/accounting/loss/quick.hpp"
#include "vernier/noise/kernels.hpp"

// The hot loops of every law that is given by nodes: weighted sums of waves, and of damped waves where the nodes lie
// off the real line.
namespace vernier::accounting {

// Sines and cosines are quick up to phases of this size; larger ones go to the C library.
inline constexpr double greatest_quick_phase = quick::greatest_phase;

// What one wave and the summation may cost together, in units of 2^-53 of the sum of the weights: node_law.md.
inline constexpr double wave_units = 24;

// sum_j weights[j] e^(i t offsets[j]), t >= 0. `greatest` is at least every abs(offsets[j]). The value is within
// u (wave_units sum_j abs(w_j) + t sum_j abs(w_j offsets[j])) of the exact one, u = 2^-53.
std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t);

// The same for one instruction set that this machine has.
std::complex<double> wave_sum(const double* weights, const double* offsets, std::size_t count, double greatest,
                              double t, noise::kernels::Isa isa);

// Damped waves: one array per figure, all of one length.
struct DampedWaves {
  const double* weights;
  const double* dampings;  // from 0 on
  const double* phases;
  const double* offsets;
  const double* units;         // of the node's figures at t = 0
  const double* units_a_turn;  // what t adds to them
  std::size_t count;
  double greatest_phase;  // at least every abs(phases[j] + t offsets[j]), for the t asked
};

struct DampedSum {
  double real;
  double imaginary;
  double units;  // the sum of weights times units, damped
};

// sum_j weights[j] e^(-t dampings[j] + i (phases[j] + t offsets[j])), and the units; t dampings[j] is at most 700.
// Where weights W_j are damped, the value is within 2^-53 sum_j W_j (30 + 2 t dampings[j] + 2 abs(phases[j])
// + 2 t abs(offsets[j])) of the exact one: sampled_gaussian.md.
DampedSum damped_wave_sum(const DampedWaves& waves, double t);

// The same for one instruction set that this machine has.
DampedSum damped_wave_sum(const DampedWaves& waves, double t, noise::kernels::Isa isa);

}  // namespace vernier::accounting
