#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/interval/statement.hpp"

// Variance and standard deviation of the rows from three noisy node sums, with an interval that is valid at every
// number of rows: variance.md.
namespace vernier::interval {

enum class Divisor : std::uint8_t {
  rows,           // the population form
  rows_less_one,  // the sample form, which is defined from two rows on
};

// What is told of the spread of the rows.
struct SpreadForm {
  Divisor divisor;
  bool is_root;  // the standard deviation
};

// The spread of the clamped rows lies in the interval with probability 1 - alpha at least; where it is not defined
// every number counts as the spread.
struct SpreadInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  double value;       // within the interval, never negative
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within 0 and what the bounds allow
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;  // true: that there are too few rows for it (none, or one of the sample form) is not excluded
};

// Built once for all groups that share law, nodes, bounds and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class SpreadInference {
 public:
  // Of rows between 0 and `range`, which is upper - lower bound; nodes must be three, of the Bernstein basis.
  static Result<SpreadInference> of(const Law& law, const MeanNodes& nodes, Real range, Alpha alpha, SpreadForm form);

  // One released number per node, in their order.
  Result<SpreadInterval> from(std::span<const std::int64_t> released) const;

 private:
  SpreadInference(const MeanInference<Law>& mean, const CombinedNoise<Law>& noise, const MeanNodes& nodes, double range,
                  SpreadForm form, double variance)
      : mean_(mean), noise_(noise), nodes_(nodes), range_(range), form_(form), variance_(variance) {}
  MeanInference<Law> mean_;   // of places between 0 and 1, at a tenth of alpha
  CombinedNoise<Law> noise_;  // at the rest
  MeanNodes nodes_;
  double range_;
  SpreadForm form_;
  double variance_;  // of one noise
};

extern template class SpreadInference<noise::Geometric>;
extern template class SpreadInference<noise::DiscreteGaussian>;

// The greatest variance of numbers between 0 and 1: 1/4, or 1/2 of the sample form (two rows, one at either bound).
constexpr double greatest_variance(Divisor divisor) { return divisor == Divisor::rows ? 0.25 : 0.5; }

}  // namespace vernier::interval
