#pragma once

#include <cstddef>

#include "vernier/noise/kernels.hpp"

// The hot loop of a law whose nodes lie off the real line: a weighted sum of damped waves.
namespace vernier::accounting {

// One array per figure, all of one length.
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
