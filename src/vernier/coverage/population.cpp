#include "vernier/coverage/population.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vernier::coverage {

Result<Population> Population::of(std::vector<double> values) {
  if (values.empty()) return invalid("a population needs at least one value, but there is none");
  if (values.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    return invalid("a population may have at most 2^31 values; take a part of them");
  }
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::all_of(values.begin(), values.end(), is_finite)) return Population(std::move(values));
  return invalid("the values of a population must be finite numbers");
}

PlacedPopulation::PlacedPopulation(const Population& population, const ValueGrid& grid) : grid_(grid) {
  std::vector<std::int64_t> each;
  each.reserve(population.values().size());
  for (const double value : population.values()) each.push_back(grid.step_of(value));
  steps_ = each;
  std::sort(steps_.begin(), steps_.end());
  steps_.erase(std::unique(steps_.begin(), steps_.end()), steps_.end());
  members_.reserve(each.size());
  for (const std::int64_t step : each) {
    members_.push_back(
        static_cast<std::uint32_t>(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin()));
  }
}

}  // namespace vernier::coverage
