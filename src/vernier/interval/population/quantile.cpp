#include "vernier/interval/population/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "vernier/core/text.hpp"
#include "vernier/numeric/normal.hpp"

namespace vernier::interval {
namespace {

constexpr double part_of_choice = 0.125;  // of alpha: a power of two, so that the rest is exact
constexpr double raised = 1 + 1e-9;       // over points and logarithms, which are right to 1e-14
constexpr double tail_raised = 1 + 1e-8;
constexpr std::int64_t rows_in_table = 4096;
constexpr std::int64_t most_steps_of_weight = std::int64_t{1} << 22;

// In units of D, for an end beyond which so many rows lie, or steps of their weights: constant + sqrt(square * rows).
struct SampleError {
  double constant, square;
};

// One end: the rows beyond the quantile are the part 1 - p of all, p = numerator / denominator.
struct Side {
  std::int64_t numerator, denominator;
  double p() const { return static_cast<double>(numerator) / static_cast<double>(denominator); }
};

double level_of_side(Alpha alpha) { return alpha.value() * (1 - part_of_choice) / 2; }

// The number of rows up to a quantile is binomial, and its tail at most that of a normal law.
SampleError error_of_rows(const Side& side, Alpha alpha) {
  const double z = numeric::normal_upper_point(std::log(level_of_side(alpha))) * raised;
  const double p = side.p(), rank = static_cast<double>(side.denominator), root = rank * z;
  return {rank * (1 + z * z * std::abs(1 - 2 * p) / 3) * raised, root * root * p * raised};
}

// Bernstein's inequality to either side, at 3/8 of alpha each, and 1/8 that the weights are fewer than expected.
SampleError error_of_weighted(const Side& side, Alpha alpha, std::int64_t heaviest) {
  const double logarithm = std::log(8 / (3 * alpha.value())) * raised, fewer = std::log(8 / alpha.value()) * raised;
  const double p = side.p(), rank = static_cast<double>(side.denominator), row = static_cast<double>(heaviest);
  const double constant = 2 * std::max(p, 1 - p) * logarithm / 3 + 2 * std::sqrt(logarithm * p * (1 - p) * fewer);
  return {rank * row * constant * raised, rank * rank * row * 2 * logarithm * p * raised};
}

// What D = b c - a (c + m) must be moved by with m rows beyond, for the least c of which P[B(c + m, p) <= c] exceeds
// the level of a side. Sums stay near that level, so that thousands of roundings of long doubles are no more than 1e-8.
std::vector<std::int64_t> needed_of_rows(const Side& side, Alpha alpha) {
  const long double p = static_cast<long double>(side.numerator) / static_cast<long double>(side.denominator);
  const long double level = static_cast<long double>(level_of_side(alpha)) / tail_raised;
  std::vector<std::int64_t> needed;
  std::int64_t c = 0, m = 0;
  long double mass = 1, tail = 1;  // of exactly c, and of up to c
  while (c + m < rows_in_table) {
    needed.push_back(side.numerator * m - (side.denominator - side.numerator) * c);
    tail = c == 0 ? tail * (1 - p) : tail - p * mass;
    mass *= (1 - p) * static_cast<long double>(c + m + 1) / static_cast<long double>(m + 1);
    ++m;
    while (tail <= level && c + m < rows_in_table) {
      tail += p * mass * static_cast<long double>(m) / static_cast<long double>(c + 1);
      mass *= p * static_cast<long double>(c + m + 1) / static_cast<long double>(c + 1);
      ++c;
    }
  }
  return needed;
}

noise::EndReach reach_of_end(const Side& side, Alpha alpha, std::optional<std::int64_t> heaviest) {
  const SampleError error = heaviest ? error_of_weighted(side, alpha, *heaviest) : error_of_rows(side, alpha);
  const auto needed = heaviest ? std::vector<std::int64_t>{} : needed_of_rows(side, alpha);
  return {error.constant, error.square, side.numerator, needed};
}

noise::RankReach with_sample(std::int64_t choice, const noise::RankStatistic& statistic, Alpha alpha,
                             std::optional<std::int64_t> heaviest) {
  const std::int64_t a = statistic.numerator() / 2, b = statistic.denominator() / 2;
  return {choice, reach_of_end({a, b}, alpha, heaviest), reach_of_end({b - a, b}, alpha, heaviest)};
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
  if (!statistic.is_of_sample()) return invalid("the ranks of a population's quantile are those of a sample");
  VERNIER_TRY(check_weights(heaviest.value_or(1)));
  return alpha_of_choice(alpha)
      .and_then([&](Alpha part) { return noise::reach_of(law, statistic, part); })
      .map([&](std::int64_t choice) { return with_sample(choice | 1, statistic, alpha, heaviest); });
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
