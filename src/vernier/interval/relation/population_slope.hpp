#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/regression/many_noises.hpp"
#include "vernier/interval/regression/moments.hpp"
#include "vernier/interval/relation/sampled_sum.hpp"
#include "vernier/interval/statement.hpp"

// The slope of the population of which rows are a random sample, from noisy sums of degree 4 in x and 2 in y, with
// White's variance: population_slope.md.
namespace vernier::interval {

inline constexpr std::size_t slope_nodes = 15;       // node i of x and j of y stands at 3 i + j
inline constexpr std::size_t middle_slope_node = 7;  // takes what the others leave of the weight

struct SlopeShape {
  MomentColumn x, y;
  std::int64_t weight;     // that a row adds to all nodes together
  std::int64_t parts = 0;  // units with more rows than this count in part; 0: none do
};

// Bernstein's polynomials of degree 4 at k of K steps, and 2 at l of L, without the weight: K^4 and L^2 in all.
std::array<std::int64_t, 5> fourth_nodes(std::int64_t k, std::int64_t steps);
std::array<std::int64_t, 3> second_nodes(std::int64_t l, std::int64_t steps);

struct SlopeInterval {
  static constexpr Status status = Status::tested;
  static constexpr Covers covers = Covers::population;
  double value;
  double accuracy;
  Interval interval;
  bool informative;  // false: nothing is known, and the interval claims nothing
  bool may_be_empty;
};

class PopulationSlope {
 public:
  static Result<PopulationSlope> of(const PairLaw& law, const SlopeShape& shape, Alpha alpha);

  Result<SlopeInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationSlope(const SlopeShape& shape, const SampledSum& sample, const ManyNoises& main, const ManyNoises& nuisance,
                  const ManyNoises& variance)
      : shape_(shape), sample_(sample), main_(main), nuisance_(nuisance), variance_(variance) {}
  SlopeShape shape_;
  SampledSum sample_;
  ManyNoises main_, nuisance_, variance_;
};

// What the population's x deviate by at least, in half ranges, at its own level; 0 where nothing is known.
class LeastDeviation {
 public:
  static Result<LeastDeviation> of(const PairLaw& law, const SlopeShape& shape, Alpha alpha);

  Result<double> from(std::span<const std::int64_t> released) const;

 private:
  LeastDeviation(const SlopeShape& shape, const SampledSum& sample, const ManyNoises& main, const ManyNoises& nuisance)
      : shape_(shape), sample_(sample), main_(main), nuisance_(nuisance) {}
  SlopeShape shape_;
  SampledSum sample_;
  ManyNoises main_, nuisance_;
};

// The half width of the noise alone before there are data, as relation_accuracy has it for the rows.
double slope_noise_accuracy(const PairLaw& law, const SlopeShape& shape, Alpha alpha, double rows);

}  // namespace vernier::interval
