#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/noise/bentkus.hpp"
#include "vernier/interval/noise/combined_noise.hpp"
#include "vernier/interval/noise/mean_nodes.hpp"
#include "vernier/interval/rows/mean.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/grid_noise.hpp"

// How far the rows themselves, as a random sample, move the imbalance of node sums: a bound on its variance, from the
// same released sums. population/mean.md has the reasons.
namespace vernier::interval {

// What the usual tests grant a sample beyond the normal law with its estimated variance, in what one row moves the
// imbalance at most. All three are found by an exact search over two- and three-point populations: population/mean.md.
struct SampleGuard {
  double variance;   // in squares of it: rows that were not drawn
  double skew;       // of the imbalance itself: a sample that is short of rare rows shows too small a variance
  double half_step;  // of it: samples lie on a lattice, and normal laws do not
  static SampleGuard at(Alpha alpha);
};

inline constexpr double part_of_variance = 0.1;  // of alpha: with this chance at most a guaranteed bound fails

// The noisy sum of (place - r)^2, in units of the nodes.
struct SquareSums {
  std::array<double, most_nodes> y;
  double total, size;
  double at(double r) const { return y[2] * (1 - r) * (1 - r) - y[1] * r * (1 - r) + y[0] * r * r; }
};
SquareSums square_sums(Released released);

// Whether the number of rows is known, or comes from the same released sums.
enum class RowCount : std::uint8_t { released, known };

// Sums moved evenly so that their total is that of so many rows, of which there is at least one.
SquareSums square_sums(Released released, double total);

template <class Law>
class SamplingVariance {
 public:
  // For three Bernstein nodes.
  static SamplingVariance of(const Law& law, const MeanNodes& nodes, Alpha alpha, Assurance assurance,
                             const Design& design, RowCount rows = RowCount::released);

  // For every place between these, in squared units of the nodes. For sums with a total above 0.
  double greatest(const SquareSums& sums, double first, double last) const;

  // Of a usual test: what is left of an imbalance of this size at a place this far from the bound that the sample may
  // be short of, and the variance to compare it with.
  struct Compared {
    double size, variance;
  };
  Compared compared(double size, double variance, double distance) const;

  // The least size of which a usual test leaves its reach, `reach(variance)` being that of noise and a normal law.
  template <class Reach>
  double usual_reach(const Reach& reach, double variance, double distance) const {
    double found = reach(variance);
    for (int step = 0; step < reach_steps; ++step) {
      found = reach(compared(found, variance, distance).variance) + half_step();
    }
    return found;
  }

  // The largest that one row can move the imbalance, at a place this far from the bound toward which it moves it.
  double greatest_step(double distance) const { return weight_ * distance; }

 private:
  static constexpr int reach_steps = 24;  // each halves what is missing, at least
  double noise_between(double first, double last) const;
  double half_step() const { return part_left_out_ == 0 ? 0 : sample_.half_step * weight_; }
  Assurance assurance_ = Assurance::usual;
  double weight_ = 1;          // of the heaviest row
  double rounding_ = 0;        // of a square, as part of a node
  double guard_ = 0;           // in squares of the heaviest row's greatest distance
  SampleGuard sample_{};       // of the usual test
  double part_left_out_ = 1;   // of the population
  std::vector<double> noise_;  // of the squares, over equal cells of places
  double noise_factor_ = 0;    // of a normal bound
};

extern template class SamplingVariance<noise::Geometric>;
extern template class SamplingVariance<noise::DiscreteGaussian>;

// ---- the mean of the population of which the rows are a random sample, from three noisy node sums:
// population/mean.md.

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
