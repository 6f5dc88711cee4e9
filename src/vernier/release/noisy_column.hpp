#pragma once

#include <span>
#include <vector>

#include "vernier/plan/derived_columns.hpp"
#include "vernier/release/release.hpp"

namespace vernier::release {

// Where the noisy integers of a measurement stand in those of a row.
struct NoisyColumn {
  std::size_t first;
  std::size_t width;

  std::span<const std::int64_t> of(const Row& row) const { return std::span(row.noisy).subspan(first, width); }
};

inline NoisyColumn noisy_column(const plan::BoundStatistic& statistic, std::size_t measurement) {
  const std::size_t place = plan::measured_place(statistic, measurement);
  std::size_t first = 0;
  for (std::size_t i = 0; i < place; ++i) first += statistic.measurements[i].width;
  return {first, statistic.measurements[place].width};
}

}  // namespace vernier::release
