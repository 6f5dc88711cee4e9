#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/interval/population.hpp"
#include "vernier/interval/smoothed_noise.hpp"
#include "vernier/noise/grid_noise.hpp"

// The sum over the population of which the rows are a random sample, from three noisy node sums of the rows:
// population_sum.md.
namespace vernier::interval {

// Built once for all groups that share law, nodes, bounds, alpha and design. Law is Geometric or DiscreteGaussian.
template <class Law>
class PopulationSumInference {
 public:
  // Each member of the population is among the rows with probability `design.sampled`, independently of the others; an
  // error where that is not known, or rows are weighted. Nodes must be three, of the Bernstein basis.
  static Result<PopulationSumInference> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                           Alpha alpha, const Design& design);

  // One released number per node, in their order. Status: tested.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationSumInference(const SmoothedNoise<Law>& noise, const CombinedNoise<Law>& rows, const MeanNodes& nodes,
                         noise::ValueRange bounds)
      : noise_(noise), rows_(rows), nodes_(nodes), bounds_(bounds) {}
  double variance_of(std::span<const std::int64_t> released) const;

  SmoothedNoise<Law> noise_;
  CombinedNoise<Law> rows_;  // of the number of rows, at alpha
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double sampled_ = 1;
  double squares_reach_ = 0;  // of the noise of the squares, in units of the nodes times the greatest square
  double guard_ = 0;          // in squares of what one row adds at most
};

extern template class PopulationSumInference<noise::Geometric>;
extern template class PopulationSumInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
