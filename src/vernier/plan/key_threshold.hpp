#pragma once

#include <cstdint>

#include "vernier/plan/plan.hpp"

// From which noisy number of units on a private key is published. allocate.md has the argument.
namespace vernier::plan {

// What a statistic with private keys may risk.
struct KeyRisk {
  std::int64_t touched;  // keys that differ between neighbours, at most
  double delta;          // the chance, at most, that any of them is published although one unit alone has it
};

// That chance at this threshold, rounded outward: 1 - (1 - escape)^touched.
Bounds escape_of_any(const Law& law, std::int64_t touched, std::int64_t threshold);

// The least threshold that is certified to keep within the risk.
Result<std::int64_t> least_threshold(const Law& law, KeyRisk risk);

}  // namespace vernier::plan
