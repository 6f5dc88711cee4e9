#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
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

}  // namespace vernier::interval
