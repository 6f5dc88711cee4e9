#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vernier/engine/raw_aggregates.hpp"
#include "vernier/plan/bound_study.hpp"

// How far the exact integers of two tables lie apart.
namespace vernier::twin {

struct Norms {
  plan::Int128 l0 = 0, linf = 0, l1 = 0, l2_squared = 0;
};

// Of a measurement's vector, over all groups that either table has. Of weighted rows node sums have their total among
// the tallies.
Norms difference(const plan::Measurement& measurement, const engine::RawAggregates& first,
                 const engine::RawAggregates& second, bool is_weighted = false);

// The norms that pass what was declared: "l0 linf"; empty where none does.
std::string passed(const Norms& found, const plan::Sensitivity& declared);

// The same for norms that are just reached.
std::string reached(const Norms& found, const plan::Sensitivity& declared);

// Whether every number lies between the ends that the measurement states.
bool lies_within(const plan::Measurement& measurement, const engine::RawAggregates& raw, bool is_weighted = false);

}  // namespace vernier::twin
