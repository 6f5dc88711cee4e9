#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/plan/statistic/parts.hpp"

// How far the exact integers of two tables lie apart.
namespace vernier::twin {

struct Norms {
  plan::Int128 l0 = 0, linf = 0, l1 = 0, l2_squared = 0;
};

// Of a measurement's vector, over all groups that either table has.
Norms difference(const plan::Measured& in, const engine::RawAggregates& first, const engine::RawAggregates& second);

// The norms that pass what was declared: "l0 linf"; empty where none does.
std::string passed(const Norms& found, const plan::Sensitivity& declared);

// The same for norms that are just reached.
std::string reached(const Norms& found, const plan::Sensitivity& declared);

// Whether every number lies between the ends that the measurement states.
bool lies_within(const plan::Measured& in, const engine::RawAggregates& raw);

}  // namespace vernier::twin
