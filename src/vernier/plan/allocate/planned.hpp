#pragma once

#include "vernier/plan/allocate/choice.hpp"
#include "vernier/plan/allocate/price.hpp"
#include "vernier/plan/plan.hpp"

namespace vernier::plan {

// The plan of an allocation, with every figure computed from the laws that will be sampled.
Result<Plan> planned(const BoundStudy& study, const Pricing& pricing, const Allocation& found);

// The plan with these laws, one for every item of the study: the same figures for whoever checks a plan.
Result<Plan> planned_with(const BoundStudy& study, const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                          privacy::Delta delta);

// The parts of the plan that its items cost: they add up to 1. With a delta, by the expected loss, which adds up over
// independent releases; at delta 0 by the greatest loss, which is epsilon. In plain doubles: nothing rests on them.
std::vector<double> shares_of(const std::vector<NoiseItem>& items, const std::vector<Law>& laws,
                              privacy::Neighbours neighbours, privacy::Delta delta);

// Of one number that moves by `shift`: E[ln dP/dQ] under P, P the noise and Q the noise moved.
double expected_loss(const noise::Geometric& law, std::int64_t shift);
double expected_loss(const noise::DiscreteGaussian& law, std::int64_t shift);

// Of a choice: that of the loss by which it is charged (accounting/loss/choice_loss.md).
double expected_loss(const noise::Exponential& law, std::int64_t shift);

// Of the noise of a box: that of Laplace noise of its scale.
double expected_loss(const noise::Box& law, std::int64_t shift);

// The chance that a group of so many units is published.
Bounds chance_of(const Law& law, std::int64_t threshold, std::int64_t units);

// The chance that a group is published, for 1 unit, for the sizes at which it passes 1, 5, 50, 95 and 99 in a hundred,
// and for the round sizes (1, 2 and 5 times powers of ten) between these.
std::vector<PublishedChance> forecast(const Law& law, std::int64_t threshold);

}  // namespace vernier::plan
