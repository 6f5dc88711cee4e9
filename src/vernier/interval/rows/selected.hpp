#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// The interval of a count that was published only because it passed a threshold together with its noise, as the number
// of units of a private key does. selected.md has the proof.
namespace vernier::interval {

// The exact count lies in [low, high] with probability 1 - alpha at least, given that it was published.
struct SelectedInterval {
  static constexpr Status status = Status::proven;
  static constexpr Covers covers = Covers::bounded_value;
  std::int64_t value;     // the released count, moved into the interval
  std::int64_t accuracy;  // value +- this has the interval in it
  std::int64_t low, high;
};

// Built once for all keys that share law, threshold and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class SelectedInference {
 public:
  // Published are released counts from the threshold (at least 1) on; the exact count is from 1, since a key in the
  // data has a unit, to `greatest` (at least 1). An error where the law has no quantile at alpha.
  static Result<SelectedInference> of(const Law& law, std::int64_t threshold, std::int64_t greatest, Alpha alpha);

  // `released` is at least the threshold.
  SelectedInterval from(std::int64_t released) const;

 private:
  SelectedInference(const Law& law, std::int64_t threshold, std::int64_t greatest, double alpha, std::int64_t reach)
      : law_(law), threshold_(threshold), greatest_(greatest), alpha_(alpha), reach_(reach) {}
  // Whether P[count + X >= released | it is published] <= alpha / 2 for certain, and the same for <=.
  bool is_too_high(std::int64_t count, std::int64_t released) const;
  bool is_too_low(std::int64_t count, std::int64_t released) const;

  Law law_;
  std::int64_t threshold_;
  std::int64_t greatest_;
  double alpha_;
  std::int64_t reach_;  // of the additive interval: no interval is shorter, and the searches begin there
};

extern template class SelectedInference<noise::Geometric>;
extern template class SelectedInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
