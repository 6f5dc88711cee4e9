#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/additive.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean_nodes.hpp"

// Counts and sums of the rows from the noisy node sums that a mean or a variance was released with: linear.md.
namespace vernier::interval {

// The number is the sum of coefficients[i] * sums[i], divided by the divisor.
struct LinearForm {
  std::array<std::int64_t, most_nodes> coefficients;  // those beyond the nodes are 0, and one at least is not
  std::int64_t divisor;
  bool is_whole;  // the exact number is
};

// How many rows there are.
LinearForm count_of_rows(const MeanNodes& nodes);

// The sum of the rows in steps of the grid, the lower bound lying at `origin`; both bounds and the weight at most 2^60.
// From three sums it need not be whole where rows of a unit were scaled down.
LinearForm sum_of_rows(const MeanNodes& nodes, std::int64_t origin);

// Built once for all groups that share law, form and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class LinearInference {
 public:
  static LinearInference of(const Law& law, const MeanNodes& nodes, const LinearForm& form, PossibleRange possible,
                            Alpha alpha);

  // The exact number is further away from the released one with probability alpha at most; whole.
  std::int64_t accuracy() const { return accuracy_; }

  // One released number per node, in their order.
  Result<AdditiveInterval> from(std::span<const std::int64_t> released) const;

 private:
  LinearInference(const LinearForm& form, std::size_t count, PossibleRange possible, std::int64_t accuracy)
      : form_(form), count_(count), possible_(possible), accuracy_(accuracy) {}
  LinearForm form_;
  std::size_t count_;
  PossibleRange possible_;
  std::int64_t accuracy_;
};

extern template class LinearInference<noise::Geometric>;
extern template class LinearInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
