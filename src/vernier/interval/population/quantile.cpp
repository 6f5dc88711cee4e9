#include "vernier/interval/population/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_choice = 0.125;  // of alpha: a power of two, so that the rest is exact
constexpr double raised = 1 + 1e-9;       // over points and logarithms, which are right to 1e-14
constexpr std::int64_t most_steps_of_weight = std::int64_t{1} << 22;

// In ranks of rows, or of rows of the greatest weight: constant + root * sqrt(number of these).
struct SampleError {
  double constant, root;
};

double fraction_of(const noise::RankStatistic& statistic) {
  return static_cast<double>(statistic.numerator()) / static_cast<double>(statistic.denominator());
}

// The number of rows below a quantile is binomial.
SampleError error_of_rows(double p, Alpha alpha) {
  const double z = numeric::normal_upper_point(std::log(alpha.value() * (1 - part_of_choice) / 2)) * raised;
  return {1 + z * z * std::abs(1 - 2 * p) / 3, z * std::sqrt(p * (1 - p))};
}

// Bernstein's inequality to either side, at 3/8 of alpha each, and 1/8 that the weights are fewer than expected.
SampleError error_of_weighted(double p, Alpha alpha) {
  const double side = std::log(8 / (3 * alpha.value())) * raised, fewer = std::log(8 / alpha.value()) * raised;
  const double root = std::sqrt(2 * side * p * (1 - p));
  return {2 * std::max(p, 1 - p) * side / 3 + root * std::sqrt(2 * fewer), root};
}

noise::RankReach with_sample(std::int64_t choice, const noise::RankStatistic& statistic, Alpha alpha,
                             std::optional<std::int64_t> heaviest) {
  const double p = fraction_of(statistic);
  const SampleError error = heaviest ? error_of_weighted(p, alpha) : error_of_rows(p, alpha);
  const auto rank = static_cast<double>(statistic.denominator()), row = static_cast<double>(heaviest.value_or(1));
  return {choice, rank * row * error.constant, rank * std::sqrt(row) * error.root, statistic.growth()};
}

Result<void> check_weights(std::int64_t heaviest) {
  if (1 <= heaviest && heaviest <= most_steps_of_weight) return {};
  return invalid("a quantile of weighted rows needs a greatest weight of 1 to 2^22 steps, but it has " +
                 std::to_string(heaviest) + "; declare a coarser granularity of the weight");
}

}  // namespace

Result<Alpha> alpha_of_choice(Alpha alpha) {
  if (Result<Alpha> part = Alpha::of(alpha.value() * part_of_choice)) return part;
  return invalid(
      "a quantile of a population needs an alpha of 8e-300 at least, of which the choice of its ends may use an "
      "eighth, but it is " +
      shortest(alpha.value()) + "; state a larger alpha");
}

noise::RankReach sample_reach(const noise::RankStatistic& statistic, Alpha alpha,
                              std::optional<std::int64_t> heaviest) {
  return with_sample(0, statistic, alpha, heaviest);
}

Result<noise::RankReach> population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic,
                                          Alpha alpha, std::optional<std::int64_t> heaviest) {
  if (statistic.ends() != noise::Ends::both) {
    return invalid("MIN and MAX of a population cannot be told from a sample; ask for a quantile");
  }
  if (statistic.growth() == 0) return invalid("the ranks of a population's quantile are those of a sample");
  VERNIER_TRY(check_weights(heaviest.value_or(1)));
  return alpha_of_choice(alpha)
      .and_then([&](Alpha part) { return noise::reach_of(law, statistic, part); })
      .map([&](std::int64_t choice) { return with_sample(choice, statistic, alpha, heaviest); });
}

Result<PopulationQuantileInference> PopulationQuantileInference::of(const noise::RankStatistic& statistic,
                                                                    const noise::RankGrid& grid,
                                                                    const noise::Exponential& law, Alpha alpha,
                                                                    std::optional<std::int64_t> heaviest) {
  VERNIER_TRY(const auto of_rows, QuantileInference::of(statistic, grid, law, alpha));
  return population_reach(law, statistic, alpha, heaviest).map([&](const noise::RankReach& reach) {
    return PopulationQuantileInference(of_rows, reach);
  });
}

Result<PopulationQuantileInterval> PopulationQuantileInference::from(const Points& ends) const {
  return of_rows_.from(ends).map([](const QuantileInterval& found) { return PopulationQuantileInterval{found}; });
}

}  // namespace vernier::interval
