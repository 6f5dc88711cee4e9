#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/rows/variance.hpp"
#include "vernier/interval/statement.hpp"

// Variance and standard deviation of the population of which the rows are a random sample, from three noisy node sums:
// population/spread.md.
namespace vernier::interval {

// How far the squares are from what they are expected to be, but for noise: the parts of their variance.
struct SquaresError {
  double row;          // the heaviest row, in units of the nodes
  double total_reach;  // of the noise of the number of rows, likewise
  double guard;        // in fourth powers of the greatest distance from the mean, times row squared
  double skew;         // in what a row moves the squares by at most: sums of bounded terms are not normal
  double half_step;    // in squares of the greatest distance from the mean: samples lie on a lattice
  double left_out;     // part of the population
};

// Built once for all groups that share law, nodes, bounds, alpha and design. Law is Geometric or DiscreteGaussian.
template <class Law>
class PopulationSpreadInference {
 public:
  // Of values between 0 and `range`, which is upper - lower bound; nodes must be three, of the Bernstein basis. The
  // divisor matters for the value alone: both forms estimate the same variance of the population.
  static Result<PopulationSpreadInference> of(const Law& law, const MeanNodes& nodes, Real range, Alpha alpha,
                                              SpreadForm form, const Design& design);

  // One released number per node, in their order. Status: tested.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationSpreadInference(const PopulationMeanInference<Law>& mean, const SmoothedNoise<Law>& noise,
                            const CombinedNoise<Law>& rows, const MeanNodes& nodes, const SquaresError& error)
      : mean_(mean), noise_(noise), rows_(rows), nodes_(nodes), error_(error) {}
  PopulationMeanInference<Law> mean_;  // of places between 0 and 1, at a tenth of alpha
  SmoothedNoise<Law> noise_;           // of the squares
  CombinedNoise<Law> rows_;            // of the number of rows, at alpha
  MeanNodes nodes_;
  SquaresError error_;
  double range_ = 1;
  SpreadForm form_{};
  double variance_ = 0;  // of one noise
};

extern template class PopulationSpreadInference<noise::Geometric>;
extern template class PopulationSpreadInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
