#include "cli/demo_random.hpp"

#include <numeric>
#include <utility>

namespace vernier::cli {

std::size_t DemoRandom::choose(std::span<const double> weights) {
  double left = uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  std::size_t place = 0;
  while (place + 1 < weights.size() && left >= weights[place]) left -= weights[place++];
  return place;
}

std::uint64_t DemoRandom::word() {
  Result<std::uint64_t> next = source_.draws.next();
  if (next) return *next;
  state_ = Failure(std::move(next.error()));
  return 0;
}

}  // namespace vernier::cli
