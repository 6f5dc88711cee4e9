#pragma once

#include <array>
#include <cstddef>

#include "vernier/noise/kernels.hpp"

// The nodes of a sampled Gaussian, many at once: what SampledNormalTilt::add_node does for one, without a branch.
namespace vernier::accounting {

struct NormalTermParameters {
  double mu;
  double mu_rest;
  double share;  // the smaller one of the mixture at the anchor, inside or outside
  double line;   // 1 where that is the outside one: R less this line is then ln(1 + share (e^-move - 1)); else 0
  double share_units;
  double power;
  double steepness;
  double distance_units;  // of the distances, relatively
};

// Figures of up to `size` nodes; units of 2^-53, absolute.
struct NormalTerms {
  static constexpr std::size_t size = 256;
  using Column = std::array<double, size>;
  Column distance;
  Column change;  // of R, from the anchor
  Column change_units;
  Column log_weight;
  Column log_units;
  Column weight;  // e^log_weight, to 4 units relatively, where the log weight is between -700 and 700
};

// Fills in all columns from the first `count` distances. mu abs(distance) must be at most 600.
void fill(NormalTerms& terms, std::size_t count, const NormalTermParameters& parameters);
void fill(NormalTerms& terms, std::size_t count, const NormalTermParameters& parameters, noise::kernels::Isa isa);

}  // namespace vernier::accounting
