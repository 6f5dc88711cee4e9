#pragma once

#include <complex>
#include <cstddef>

#include "vernier/accounting/loss/quick_wave.hpp"
#include "vernier/noise/kernels.hpp"

// The hot loop of every law that is given by nodes: a weighted sum of waves.
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

}  // namespace vernier::accounting
