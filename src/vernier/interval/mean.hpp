#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/grid_noise.hpp"

// The mean of the rows from noisy node sums, with an interval that is valid at every number of rows, 0 included:
// mean.md.
namespace vernier::interval {

// The mean of the clamped rows lies in the interval with probability 1 - alpha at least; of no rows at all every number
// counts as the mean.
struct MeanInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;       // within the interval
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within the bounds
  bool informative;   // false: the interval is all that the bounds allow, and the release says "no information"
  bool may_be_empty;  // true: that there is no row at all is not excluded either, at the same alpha
};

// Built once for all groups that share law, nodes, bounds and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class MeanInference {
 public:
  // Every node sum has noise of its own, from this law, in units of the nodes.
  static MeanInference of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds, Alpha alpha);

  // One released number per node, in their order.
  Result<MeanInterval> from(std::span<const std::int64_t> released) const;

 private:
  MeanInference(const CombinedNoise<Law>& noise, const MeanNodes& nodes, noise::ValueRange bounds, double variance)
      : noise_(noise), nodes_(nodes), bounds_(bounds), variance_(variance) {}
  CombinedNoise<Law> noise_;
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double variance_;  // of one noise
};

extern template class MeanInference<noise::Geometric>;
extern template class MeanInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
