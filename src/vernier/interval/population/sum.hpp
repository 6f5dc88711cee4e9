#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/population/mean.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/grid_noise.hpp"

// The sum over the population of which the rows are a random sample, from three noisy node sums of the rows, and the
// number of its members from one noisy sum of weights: population/sum.md.
namespace vernier::interval {

// How the sum of the rows and that of their squares follow from the released numbers, in units of the greatest value.
struct PopulationSumForm {
  std::size_t sums;              // released numbers
  Coefficients values, squares;  // of each of them
  double greatest;               // value, in size
  double row;                    // what a row adds to all sums together, but for its weight
  double rounding;               // by how much a square is off at most, as part of a row
  Interval possible;             // where the sum can lie
};

// Built once for all groups that share law, nodes, bounds, alpha and design. Law is Geometric or DiscreteGaussian.
template <class Law>
class PopulationSumInference {
 public:
  // Each member of the population is among the rows with probability `design.sampled`, or with 1 over its weight in
  // members, independently of the others; an error where that is not known. Nodes must be three, of the Bernstein
  // basis.
  static Result<PopulationSumInference> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                           Alpha alpha, const Design& design);

  // How many members there are: a sum of ones, from the released sum of the weights.
  static Result<PopulationSumInference> of_count(const Law& law, Alpha alpha, const Design& design);

  // One released number per node, in their order; of a count the one. Status: tested.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationSumInference(const SmoothedNoise<Law>& noise, const CombinedNoise<Law>& rows, const PopulationSumForm& form)
      : noise_(noise), rows_(rows), form_(form) {}
  static Result<PopulationSumInference> with(const Law& law, const PopulationSumForm& form, Alpha alpha,
                                             const Design& design);
  double variance_of(std::span<const std::int64_t> released) const;
  double reach_of(std::span<const std::int64_t> released) const;

  SmoothedNoise<Law> noise_;
  CombinedNoise<Law> rows_;  // of the number of rows, at alpha
  PopulationSumForm form_;
  double left_out_ = 1;       // the greatest chance of a member not to be among the rows
  double members_ = 1;        // behind a row, or behind a weight of 1
  double heaviest_ = 1;       // what the heaviest row adds to all sums together
  double squares_reach_ = 0;  // of the noise of the squares, in units of the nodes times the greatest square
  SampleGuard guard_{};       // in what one row adds at most
};

extern template class PopulationSumInference<noise::Geometric>;
extern template class PopulationSumInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
