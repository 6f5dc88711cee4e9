#include "vernier/denoise/shrinkage.hpp"

#include <numeric>

namespace vernier::denoise {
namespace {

// Towards a centre that takes `learned` of the d directions: 0 none, the mean one. With r = d - 2 - learned and s the
// squared distance from the centre over the variance, the factor is 1 - r / s, and Stein's estimate of the risk is
// d - r^2 / s beyond s = r and s - d + 2 learned before (Efron and Morris 1973; Stein 1981).
Shrunk shrunk(std::span<const double> numbers, double variance, double centre, double learned) {
  const auto d = static_cast<double>(numbers.size());
  const double r = d - 2 - learned;
  double s = 0;
  for (const double y : numbers) s += (y - centre) * (y - centre) / variance;
  const double factor = s > r ? 1 - r / s : 0;
  Shrunk found{{}, (s > r ? d - r * r / s : s - d + 2 * learned) / d};
  found.values.reserve(numbers.size());
  for (const double y : numbers) found.values.push_back(centre + factor * (y - centre));
  return found;
}

}  // namespace

Shrunk shrunk_to_zero(std::span<const double> numbers, double variance) { return shrunk(numbers, variance, 0, 0); }

Shrunk shrunk_to_mean(std::span<const double> numbers, double variance) {
  const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
  return shrunk(numbers, variance, sum / static_cast<double>(numbers.size()), 1);
}

}  // namespace vernier::denoise
