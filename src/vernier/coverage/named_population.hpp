#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vernier/core/result.hpp"
#include "vernier/coverage/population.hpp"

// Populations of a named shape: 65,536 members, at the middles of as many equal parts of the distribution. What is true
// of them is known exactly, and rows that are drawn from them are independent, of that distribution.
namespace vernier::coverage {

inline constexpr int named_members = 1 << 16;

// The shape, and the bounds and granularity that suit it.
struct NamedPopulation {
  Population population;
  double lower, upper, granularity;
};

// "normal", or with keys: "normal,mean=10,deviation=3", "skewed,sigma=1", "two-point,share=0.1", "constant,value=0.5",
// "uniform".
Result<NamedPopulation> population_named(std::string_view words);

// The names alone.
std::vector<std::string> population_names();

}  // namespace vernier::coverage
