#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/bentkus.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/grid_noise.hpp"

// How far (1 - p) X_1 - p X_0 reaches upward, X two independent draws of one integer law: population/proportion.md.
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

// ---- the part of a population that has a property, from two noisy counts: population/proportion.md.

// Built once for all groups that share law, bounds, alpha and design. Law is Geometric or DiscreteGaussian. Proven,
// whatever assurance is asked for.
template <class Law>
class PopulationProportionInference {
 public:
  // Two nodes with one step between the bounds: how many rows are at the lower and at the upper one. The interval is
  // that of the population's mean, between the bounds. Rows with weights are refused.
  static Result<PopulationProportionInference> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                                  Alpha alpha, Assurance assurance, const Design& design);

  // The two released counts, of the lower bound first.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationProportionInference(const CombinedNoise<Law>& noise, const PairNoise<Law>& pair,
                                const SmoothedNoise<Law>& smoothed, const BoundedSumAndNoise<Law>& bound,
                                const MeanNodes& nodes, noise::ValueRange bounds)
      : noise_(noise), pair_(pair), smoothed_(smoothed), bound_(bound), nodes_(nodes), bounds_(bounds) {}
  struct Rows {
    std::int64_t least, greatest;
  };
  // That the released counts show as large a part, or a larger one, from shares of the population in this range.
  struct Question {
    double upper, total;  // released
    Rows rows;
    Shares shares;
  };
  bool is_rare(const Question& question) const;
  bool is_rare(const Question& question, const PairTail& noise) const;
  Rows rows_for(double total) const;
  Places kept_places(Released released, double total) const;

  CombinedNoise<Law> noise_;
  PairNoise<Law> pair_;
  SmoothedNoise<Law> smoothed_;  // how far an estimate may be off
  BoundedSumAndNoise<Law> bound_;
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double variance_ = 0;          // of one noise
  double rare_ = 0;              // to either side
  std::int64_t rows_reach_ = 0;  // the noise of both counts together stays below this, but for what is set apart
  Status status_ = Status::proven;
};

extern template class PopulationProportionInference<noise::Geometric>;
extern template class PopulationProportionInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
