#include "vernier/interval/population_quantile.hpp"

#include <cmath>

#include "vernier/numeric/normal_quantile.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_choice = 0.125;  // of alpha: a power of two, so that the rest is exact
constexpr double raised = 1 + 1e-9;       // over the normal point, which is right to 1e-14

// A number that this normal law exceeds with half of what alpha leaves to the sample, from above.
double sampling_point(Alpha alpha) {
  return numeric::normal_upper_point(std::log(alpha.value() * (1 - part_of_choice) / 2)) * raised;
}

noise::RankReach with_sample(std::int64_t choice, const noise::RankStatistic& statistic, Alpha alpha) {
  const auto rank = static_cast<double>(statistic.denominator());
  const double p = static_cast<double>(statistic.numerator()) / rank;
  const double z = sampling_point(alpha);
  return {choice, rank * (1 + z * z * std::abs(1 - 2 * p) / 3), rank * z * std::sqrt(p * (1 - p)), statistic.growth()};
}

}  // namespace

Alpha alpha_of_choice(Alpha alpha) { return *Alpha::of(alpha.value() * part_of_choice); }

noise::RankReach sample_reach(const noise::RankStatistic& statistic, Alpha alpha) {
  return with_sample(0, statistic, alpha);
}

Result<noise::RankReach> population_reach(const noise::Exponential& law, const noise::RankStatistic& statistic,
                                          Alpha alpha) {
  if (statistic.ends() != noise::Ends::both) {
    return invalid("MIN and MAX of a population cannot be told from a sample; ask for a quantile");
  }
  if (statistic.growth() == 0) return invalid("the ranks of a population's quantile are those of a sample");
  return noise::reach_of(law, statistic, alpha_of_choice(alpha)).map([&](std::int64_t choice) {
    return with_sample(choice, statistic, alpha);
  });
}

Result<PopulationQuantileInference> PopulationQuantileInference::of(const noise::RankStatistic& statistic,
                                                                    const noise::RankGrid& grid,
                                                                    const noise::Exponential& law, Alpha alpha) {
  const auto of_rows = QuantileInference::of(statistic, grid, law, alpha);
  if (!of_rows) return Failure(of_rows.error());
  return population_reach(law, statistic, alpha).map([&](const noise::RankReach& reach) {
    return PopulationQuantileInference(*of_rows, reach);
  });
}

Result<PopulationQuantileInterval> PopulationQuantileInference::from(std::array<std::int64_t, 2> ends) const {
  return of_rows_.from(ends).map([](const QuantileInterval& found) { return PopulationQuantileInterval{found}; });
}

}  // namespace vernier::interval
