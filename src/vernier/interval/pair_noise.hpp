#pragma once

#include <optional>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/combined_noise.hpp"

// How far (1 - p) X_1 - p X_0 reaches upward, X two independent draws of one integer law: population_proportion.md.
namespace vernier::interval {

// P[(1 - p) X_1 - p X_0 >= u for some p of a range], from above, in a table.
class PairTail {
 public:
  PairTail(double first, double step, double beyond, std::vector<double> tails)
      : first_(first), per_step_(1 / step), beyond_(beyond), tails_(std::move(tails)) {}
  double at(double u) const {
    const double place = (u - first_) * per_step_;
    if (place < 0) return 1;
    return place < static_cast<double>(tails_.size()) ? tails_[static_cast<std::size_t>(place)] : beyond_;
  }

 private:
  double first_, per_step_, beyond_;
  std::vector<double> tails_;
};

struct Shares {
  double first, last;  // 0 <= first <= last <= 1
};

template <class Law>
class PairNoise {
 public:
  // What is below `least` of a tail is not resolved.
  static PairNoise of(const Law& law, Probability least);

  // Sums of counts are off by this at most where the law over the reals stands for the lattice.
  double step() const;

  PairTail by_reals(const Shares& shares) const;  // draws are within a step of the law over the reals: quick
  // For the lattice as it is; none where it is fine enough for the reals, or the range too long.
  std::optional<PairTail> by_lattice(const Shares& shares) const;

 private:
  PairNoise(const Law& law, double reach) : law_(law), reach_(reach) {}
  Law law_;
  double reach_;  // of the law over the reals, in steps of the lattice
  std::optional<NoiseTable> table_;
};

extern template class PairNoise<noise::Geometric>;
extern template class PairNoise<noise::DiscreteGaussian>;

}  // namespace vernier::interval
