#include "vernier/release/number/number_maker.hpp"

namespace vernier::release {

Number number_of(const plan::Estimate& estimate) {
  return {.value = estimate.value,
          .accuracy = estimate.accuracy,
          .interval = estimate.interval,
          .is_whole = estimate.is_whole,
          .coverage = estimate.coverage,
          .covers = estimate.covers,
          .informative = estimate.informative,
          .may_be_empty = estimate.may_be_empty};
}

Result<NumberMaker> figure_maker(const plan::BoundStatistic& statistic, std::size_t measurement,
                                 const plan::PlannedStatistic& planned, Alpha level) {
  return plan::estimator_of(plan::measured_at(statistic, measurement), planned, level)
      .map([](const plan::Estimator& estimator) -> NumberMaker {
        return [estimator](std::span<const std::int64_t> noisy) { return estimator(noisy).map(number_of); };
      });
}

}  // namespace vernier::release
