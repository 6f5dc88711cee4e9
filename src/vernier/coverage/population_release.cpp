#include "vernier/coverage/release_parts.hpp"

namespace vernier::coverage {

Result<Release> population_release(const Question&, const Point&, const PlacedPopulation&) {
  return invalid("there is no interval of this statistic for the population");
}

}  // namespace vernier::coverage
