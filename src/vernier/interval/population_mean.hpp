#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "vernier/core/types.hpp"
#include "vernier/interval/bentkus.hpp"
#include "vernier/interval/combined_noise.hpp"
#include "vernier/interval/mean_nodes.hpp"
#include "vernier/interval/population.hpp"
#include "vernier/interval/sampling_variance.hpp"
#include "vernier/interval/smoothed_noise.hpp"
#include "vernier/noise/grid_noise.hpp"

// The mean of the population of which the rows are a random sample, from three noisy node sums: population_mean.md.
namespace vernier::interval {

// What decides whether an imbalance is too large for noise and sample together: one of the two.
template <class Law>
struct ImbalanceTest {
  std::optional<SmoothedNoise<Law>> usual;
  std::optional<BoundedSumAndNoise<Law>> guaranteed;

  // At what the bound on the variance leaves of alpha.
  static ImbalanceTest of(const Law& law, Alpha alpha, Assurance assurance);
};

// Built once for all groups that share law, nodes, bounds, alpha and design. Law is Geometric or DiscreteGaussian.
template <class Law>
class PopulationMeanInference {
 public:
  // Every node sum has noise of its own, from this law, in units of the nodes; Bernstein nodes. With weights a row adds
  // its nodes times its weight, and the mean is the weighted one.
  static Result<PopulationMeanInference> of(const Law& law, const MeanNodes& nodes, noise::ValueRange bounds,
                                            Alpha alpha, Assurance assurance, const Design& design);

  // One released number per node, in their order.
  Result<PopulationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationMeanInference(const CombinedNoise<Law>& noise, const SamplingVariance<Law>& variance,
                          const MeanNodes& nodes, noise::ValueRange bounds, double noise_variance)
      : noise_(noise), variance_(variance), nodes_(nodes), bounds_(bounds), noise_variance_(noise_variance) {}
  bool rejects(Released released, const SquareSums& sums, Cell cell) const;
  Places kept_places(Released released, double total) const;
  double reach_at(const SquareSums& sums, double place) const;

  CombinedNoise<Law> noise_;
  SamplingVariance<Law> variance_;
  std::optional<SmoothedNoise<Law>> smoothed_;    // of the usual interval
  std::optional<BoundedSumAndNoise<Law>> bound_;  // of the guaranteed one
  MeanNodes nodes_;
  noise::ValueRange bounds_;
  double noise_variance_;  // of one noise
  bool is_weighted_ = false;
};

extern template struct ImbalanceTest<noise::Geometric>;
extern template struct ImbalanceTest<noise::DiscreteGaussian>;
extern template class PopulationMeanInference<noise::Geometric>;
extern template class PopulationMeanInference<noise::DiscreteGaussian>;

// Errors of a design that is none: `sampled` between 0 and 1, `greatest_weight` finite and above 0.
Result<void> check_design(const Design& design);

// Parts of alpha are spent apart, so it must not be next to nothing: at least 1e-100.
Result<void> check_population_alpha(Alpha alpha);

}  // namespace vernier::interval
