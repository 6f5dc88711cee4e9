#pragma once

#include <array>
#include <vector>

#include "vernier/core/types.hpp"
#include "vernier/interval/mean_places.hpp"
#include "vernier/interval/population.hpp"

// How far the rows themselves, as a random sample, move the imbalance of node sums: a bound on its variance, from the
// same released sums. population_mean.md has the reasons.
namespace vernier::interval {

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

  // The largest that one row can move the imbalance, at a place this far from the bound toward which it moves it.
  double greatest_step(double distance) const { return weight_ * distance; }

 private:
  double noise_between(double first, double last) const;
  Assurance assurance_ = Assurance::usual;
  double weight_ = 1;          // of the heaviest row
  double rounding_ = 0;        // of a square, as part of a node
  double guard_ = 0;           // in squares of the heaviest row's greatest distance
  double part_left_out_ = 1;   // of the population
  std::vector<double> noise_;  // of the squares, over equal cells of places
  double noise_factor_ = 0;    // of a normal bound
};

extern template class SamplingVariance<noise::Geometric>;
extern template class SamplingVariance<noise::DiscreteGaussian>;

}  // namespace vernier::interval
