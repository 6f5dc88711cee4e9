#pragma once

#include "vernier/plan/noise_item.hpp"

namespace vernier::plan {

// The parts of the plan that its items cost: they add up to 1. With a delta, by the expected loss, which adds up over
// independent releases; at delta 0 by the greatest loss, which is epsilon. In plain doubles: nothing rests on them.
std::vector<double> shares_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                              privacy::Neighbours neighbours, privacy::Delta delta);

// Of one number that moves by `shift`: E[ln dP/dQ] under P, P the noise and Q the noise moved.
double expected_loss(const noise::Geometric& law, std::int64_t shift);
double expected_loss(const noise::DiscreteGaussian& law, std::int64_t shift);

// Of a choice, at most: that of the two answers of a coin that is pure shift / scale.
double expected_loss(const noise::Exponential& law, std::int64_t shift);

}  // namespace vernier::plan
