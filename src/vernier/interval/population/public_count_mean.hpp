#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/interval/noise/bentkus.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/statement.hpp"

// Means where the number of rows is public: population/mean.md.
namespace vernier::interval {

// Of the rows, from one released sum of k, k = 0..steps the place of a row between the bounds. Proven: the interval of
// the sum, over the number of rows.
template <class Law>
class PublicCountMeanInference {
 public:
  // The noise is that of the sum, in steps; from 1 to 2^53 steps.
  static Result<PublicCountMeanInference> of(const Law& law, std::int64_t steps, noise::ValueRange bounds, Alpha alpha);

  // Of so many rows, 1 or more; rows * steps up to 2^62.
  Result<MeanInterval> from(std::int64_t released, std::int64_t rows) const;

 private:
  PublicCountMeanInference(std::int64_t steps, noise::ValueRange bounds, std::int64_t accuracy)
      : steps_(steps), bounds_(bounds), accuracy_(accuracy) {}
  std::int64_t steps_;
  noise::ValueRange bounds_;
  std::int64_t accuracy_;
};

// Of the population of which the rows are a random sample, from three Bernstein node sums.
template <class Law>
class PublicCountPopulationMean {
 public:
  // Rows with weights are refused: their number says little of their weight.
  static Result<PublicCountPopulationMean> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                              Alpha alpha, Assurance assurance, const Design& design);

  // One released number per node, of so many rows: 1 or more, and no more than fit the nodes.
  Result<PopulationInterval> from(std::span<const std::int64_t> released, std::int64_t rows) const;

 private:
  PublicCountPopulationMean(const SamplingVariance<Law>& variance, const MeanNodes& nodes, noise::ValueRange bounds,
                            double noise_variance)
      : variance_(variance), nodes_(nodes), bounds_(bounds), noise_variance_(noise_variance) {}
  bool rejects(const SquareSums& sums, Cell cell) const;
  Places kept_places(const SquareSums& sums) const;
  double reach_at(const SquareSums& sums, double place) const;

  SamplingVariance<Law> variance_;
  std::optional<SmoothedNoise<Law>> smoothed_;    // of the usual interval
  std::optional<BoundedSumAndNoise<Law>> bound_;  // of the guaranteed one
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double noise_variance_;  // of one noise
};

extern template class PublicCountMeanInference<noise::Geometric>;
extern template class PublicCountMeanInference<noise::DiscreteGaussian>;
extern template class PublicCountPopulationMean<noise::Geometric>;
extern template class PublicCountPopulationMean<noise::DiscreteGaussian>;

}  // namespace vernier::interval
