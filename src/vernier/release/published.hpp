#pragma once

#include <span>

#include "vernier/release/exact_numbers.hpp"
#include "vernier/release/prepared.hpp"

namespace vernier::release {

// The rows that are published, in the order of the statement. `noisy` has what of_measurement has, with noise; of the
// exact numbers nothing but their keys is looked at, and of private keys only those that pass.
Result<Table> published(const Prepared& prepared, const ExactNumbers& exact, std::span<const Integers> noisy);

}  // namespace vernier::release
