#pragma once

#include <optional>

#include "vernier/core/types.hpp"
#include "vernier/interval/population/mean.hpp"

// Whether a sum over a random sample of terms that have the mean 0 in the population may be so far from 0, with noise
// on top: population_relation.md.
namespace vernier::interval {

// What is known of the terms.
struct SampledTerms {
  double rows;
  double squares;       // their sum, with what its noise may hide on top
  double above, below;  // sizes of the greatest and of the least that a row can have
  double curvature;  // product of the deviations of both factors: means of the sample are not those of the population
};

// Built once for a level.
class SampledSum {
 public:
  static SampledSum of(Alpha alpha, double level_of_test);
  // With a part of the guard against rows that were not drawn, where a sample tells of itself that it lacks them.
  static SampledSum of(Alpha alpha, double level_of_test, double part_of_guard);

  double point() const { return point_; }  // of the normal law

  // What of the distance from 0 the sample leaves to noise; none if the sample alone explains it. `is_above`: the sum
  // is above 0, so that the sample may be short of terms below it.
  std::optional<double> left_to_noise(double distance, bool is_above, const SampledTerms& terms) const;

  // How far a sum may be from 0 where noise reaches so far.
  double reach(double noise, const SampledTerms& terms) const;

 private:
  SampledSum(const SampleGuard& guard, double point) : guard_(guard), point_(point) {}
  double granted(const SampledTerms& terms) const;
  double variance(double distance, double missing, const SampledTerms& terms) const;
  SampleGuard guard_;
  double point_;
};

}  // namespace vernier::interval
