#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// The interval of a count or a sum that was released with integer noise: additive.md has the proof.
namespace vernier::interval {

// Where the exact number can lie at all, both ends included, from the catalog and never from data: a count is at least
// 0, a sum lies within row limit times bounds.
class PossibleRange {
 public:
  static Result<PossibleRange> of(std::int64_t least, std::int64_t greatest);
  std::int64_t least() const { return least_; }
  std::int64_t greatest() const { return greatest_; }

 private:
  PossibleRange(std::int64_t least, std::int64_t greatest) : least_(least), greatest_(greatest) {}
  std::int64_t least_, greatest_;
};

// In units of the grid. The exact number lies in [low, high] with probability 1 - alpha at least.
struct AdditiveInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  std::int64_t value;     // the released number, moved into what is possible
  std::int64_t accuracy;  // the least a with P[abs(noise) > a] <= alpha
  std::int64_t low, high;
};

// The accuracy of a law at alpha, once for all numbers that share them.
template <class Law>
Result<std::int64_t> additive_accuracy(const Law& law, Alpha alpha) {
  return law.two_sided_quantile(*Probability::of(alpha.value()));
}

AdditiveInterval additive(std::int64_t released, std::int64_t accuracy, PossibleRange possible);

// As numbers, for a grid of this granularity: ends rounded outward where a double cannot hold them.
struct ScaledInterval {
  double value;
  double accuracy;  // rounded up
  Interval interval;
};
ScaledInterval on_grid(const AdditiveInterval& units, Real granularity);

// ---- counts and sums of the rows from the noisy node sums that a mean or a variance was released with: linear.md

// The number is the sum of coefficients[i] * sums[i], divided by the divisor.
struct LinearForm {
  std::array<std::int64_t, most_nodes> coefficients;  // those beyond the nodes are 0, and one at least is not
  std::int64_t divisor;
  bool is_whole;  // the exact number is
};

// The exact number differs from a released ratio by less than `reach`: by how much from its rounding, at most. The
// nearest whole number, the upper one of two; within 64 bits.
std::int64_t accuracy_from(double reach, bool is_whole);
__extension__ using WideSum = __int128;
std::int64_t nearest_quotient(WideSum sum, std::int64_t divisor);

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

  // The same of two groups with noise of their own: from() is then given the differences of their released numbers.
  // `possible` is where a difference can lie.
  static LinearInference of_difference(const Law& law, const MeanNodes& nodes, const LinearForm& form,
                                       PossibleRange possible, Alpha alpha);

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
