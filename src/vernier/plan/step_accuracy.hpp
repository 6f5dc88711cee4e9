#pragma once

#include <array>

#include "vernier/plan/plan.hpp"

// From the noise of a measurement to the accuracy of what is published from it.
namespace vernier::plan {

// What one step of accuracy of the noise is worth in the published figure: exactly that of counts and sums with noise
// of their own; of the others about that, for a group of typical_rows rows, and of a deviation if it is a quarter of
// the range; of weighted rows if their weights are half of the greatest on average.
Result<numeric::Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement);

// As published, with noise of this law of which one draw has this accuracy in steps; rounded up.
Result<double> published_accuracy(const BoundStatistic& statistic, const Measurement& measurement, const Law& law,
                                  std::int64_t steps, Alpha alpha);

// Whether it is a count or a sum that is made from node sums: it then has the margin of a combination of noises, which
// is no multiple of that of one.
bool is_combined(const Measurement& measurement);

// About the greatest scales of either law (geometric, Gaussian) at which such a figure has the accuracy that is its
// target; never greater ones. An error where no scale has it.
Result<std::array<double, 2>> combined_scales(const BoundStatistic& statistic, const Measurement& measurement,
                                              Alpha alpha);

}  // namespace vernier::plan
