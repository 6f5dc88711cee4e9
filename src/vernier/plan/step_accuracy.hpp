#pragma once

#include "vernier/plan/bound_study.hpp"

// From the noise of a measurement to the accuracy of what is published from it.
namespace vernier::plan {

// What one step of accuracy of the noise is worth in the published figure: exactly that of counts and sums; of the
// others about that, for a group of typical_rows rows.
Result<numeric::Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement);

}  // namespace vernier::plan
