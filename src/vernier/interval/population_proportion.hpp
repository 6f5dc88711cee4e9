#pragma once

#include <cstdint>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/bentkus.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean_places.hpp"
#include "vernier/interval/pair_noise.hpp"
#include "vernier/interval/population.hpp"
#include "vernier/interval/smoothed_noise.hpp"
#include "vernier/noise/grid_noise.hpp"

// The part of a population that has a property, from two noisy counts: population_proportion.md.
namespace vernier::interval {

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
