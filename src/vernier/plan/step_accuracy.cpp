#include "vernier/plan/step_accuracy.hpp"

namespace vernier::plan {
namespace {

using numeric::Rational;

}  // namespace

// A mean of n rows with noise of a steps in its node sums is off by about a / n steps (interval/mean.md).
Result<Rational> accuracy_of_step(const BoundStatistic& statistic, const Measurement& measurement) {
  const Result<Rational> granularity = Rational::of(measurement.granularity);
  if (!granularity || has_fixed_margin(measurement.figure)) return granularity;
  return quotient(*granularity, Rational::of(statistic.typical_rows));
}

}  // namespace vernier::plan
