#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"

// What a number of hits says of the chance of one: Clopper and Pearson 1934, the exact binomial law.
namespace vernier::coverage {

struct Hits {
  std::int64_t hits;
  std::int64_t trials;  // at least 1, and at least the hits
};

// The chance lies between these but for `level`, half of it on either side.
Bounds clopper_pearson(Hits hits, Probability level);

// Whether the chance is below `claim` but for `level`: so few hits, or fewer, have at most this probability where the
// claim is true.
bool is_refuted(Hits hits, double claim, double level);

}  // namespace vernier::coverage
