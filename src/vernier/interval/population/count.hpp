#pragma once

#include <cstdint>

#include "vernier/core/types.hpp"
#include "vernier/interval/population/binomial.hpp"
#include "vernier/interval/statement.hpp"
#include "vernier/noise/discrete_gaussian.hpp"
#include "vernier/noise/geometric.hpp"

// How many members of the population there are, from a noisy count of those that were drawn: population/count.md.
namespace vernier::interval {

// Built once for all counts that share law, design and alpha. Law is Geometric or DiscreteGaussian.
template <class Law>
class PopulationCountInference {
 public:
  // Each member of the population is among the rows with probability `design.sampled`, independently of the others; an
  // error where that is not known.
  static Result<PopulationCountInference> of(const Law& law, Alpha alpha, Design design);

  // The released count. Status: proven. An error where the population may exceed 2^53.
  Result<PopulationInterval> from(std::int64_t released) const;

 private:
  PopulationCountInference(const Law& law, double alpha, Chance sampled, std::int64_t reach)
      : law_(law), alpha_(alpha), sampled_(sampled), reach_(reach) {}
  // Whether P[drawn of so many + X >= released] <= alpha / 2 for certain, and the same for <=.
  bool is_too_few(std::int64_t members, std::int64_t released) const;
  bool is_too_many(std::int64_t members, std::int64_t released) const;

  Law law_;
  double alpha_;
  Chance sampled_;
  std::int64_t reach_;  // P[X > reach] <= alpha / 4
};

extern template class PopulationCountInference<noise::Geometric>;
extern template class PopulationCountInference<noise::DiscreteGaussian>;

}  // namespace vernier::interval
