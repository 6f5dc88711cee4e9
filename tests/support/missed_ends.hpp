#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "vernier/interval/population/quantile.hpp"
#include "vernier/noise/rank_choice.hpp"

namespace vernier::testing {

// P[the ends miss q | these rows], by summing over all pairs of ends.
inline double missed_given(const interval::PopulationQuantileInference& inference,
                           const std::vector<noise::Occupied>& rows, std::int64_t q) {
  const noise::RankChoice choice(inference.statistic(), rows, inference.reach());
  const auto levels = choice.levels();
  double total = 0, missed = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const double weight = std::exp(-static_cast<double>(levels[i].distance) / (2 * inference.law().scale()));
    total += weight * static_cast<double>(levels[i].candidates);
    for (std::int64_t place = 0; place < levels[i].candidates; ++place) {
      const auto found = *inference.from(choice.candidate(i, place));
      if (q < found.low || q > found.high) missed += weight;
    }
  }
  return missed / total;
}

}  // namespace vernier::testing
