#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vernier/accounting/key_rule.hpp"
#include "vernier/release/number/number_maker.hpp"
#include "vernier/release/run/exact_numbers.hpp"
#include "vernier/release/run/sampler.hpp"

namespace vernier::release {

// Everything about a statistic that needs no data, made before budget is reserved, so that what can fail has failed.
struct Prepared {
  const plan::BoundStatistic* statistic;
  plan::Sql sql;
  std::vector<AnySampler> samplers;             // one per measurement
  std::vector<NumberMaker> makers;              // one per measurement
  std::vector<std::size_t> measurements;        // one per aggregation: the measurement that it is published from
  std::optional<accounting::KeyRule> key_rule;  // of private keys, on the first measurement
  const plan::PlannedStatistic* planned;
  Alpha alpha;  // of the study

  // The statistic by whose number of units its private keys are chosen, where that is another.
  std::optional<std::size_t> keys_like() const;
};

// Whether a later statistic copies noisy integers of the one at this place.
bool is_copied_later(const std::vector<Prepared>& all, std::size_t place);

// One per measurement, for a release of so many rows, on which the level of simultaneous intervals depends.
Result<std::vector<NumberMaker>> makers_of(const plan::BoundStatistic& statistic, const plan::PlannedStatistic& planned,
                                           Alpha alpha, std::int64_t groups);

// One per statistic; the plan must outlive them.
Result<std::vector<Prepared>> prepare(const plan::Plan& plan, const engine::Session& session);

// The rows that are published, in the order of the statement. `noisy` has what of_measurement has, with noise; of the
// exact numbers nothing but their keys is looked at, and of private keys only those that pass.
Result<Table> published(const Prepared& prepared, const ExactNumbers& exact, std::span<const Integers> noisy);

}  // namespace vernier::release
