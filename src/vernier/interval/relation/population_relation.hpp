#pragma once

#include <span>

#include "vernier/interval/relation/relation.hpp"
#include "vernier/interval/relation/sampled_sum.hpp"

// Covariance, correlation and variances of the population of which rows are a random sample, from the noisy node sums
// of a pair: population_relation.md.
namespace vernier::interval {

// Whether a population has the relation, and its interval is known.
bool is_of_populations(Relation relation);

struct PopulationRelationInterval {
  static constexpr Status status = Status::tested;
  static constexpr Covers covers = Covers::population;
  double value;       // within the interval
  double accuracy;    // value +- this has the interval in it; rounded up
  Interval interval;  // within what the bounds allow
  bool informative;   // false: the interval is all that the bounds allow
  bool may_be_empty;
};

// Built once for all groups that share law, shape and alpha.
class PopulationRelation {
 public:
  static Result<PopulationRelation> of(const PairLaw& law, const PairShape& shape, Alpha alpha, Relation relation);

  // One released number per node, in their order.
  Result<PopulationRelationInterval> from(std::span<const std::int64_t> released) const;

 private:
  PopulationRelation(const PairShape& shape, Relation relation, const SampledSum& sample, const PairNodeNoise& main,
                     const PairNodeNoise& nuisance, const PairNodeNoise& variance)
      : shape_(shape), relation_(relation), sample_(sample), main_(main), nuisance_(nuisance), variance_(variance) {}
  PairShape shape_;
  Relation relation_;
  SampledSum sample_;
  PairNodeNoise main_, nuisance_, variance_;  // at the parts of alpha that tests, nuisances and squares have
};

// What sampling adds to a relation of one row, before there are data: its deviation times this over the root of the
// rows, in units of the columns, where deviations are a quarter of the ranges and the correlation is one half.
double sampling_deviation(const PairShape& shape, Relation relation);

}  // namespace vernier::interval
