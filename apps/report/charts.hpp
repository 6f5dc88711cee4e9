#pragma once

#include <string>
#include <vector>

#include "plot/estimate_chart.hpp"
#include "vernier/plan/bound_study.hpp"
#include "vernier/release/release.hpp"

namespace vernier::report {

// More rows than this are not drawn: a screen has no room for them.
inline constexpr std::size_t most_drawn_rows = 5000;

// A chart for every number that a statistic publishes; none where it published no row, or too many. What kind of chart
// follows from the keys and the number of rows alone: rows with names, a curve over numbers and days, small multiples
// for two keys, and a strip without names where there are too many.
std::vector<plot::EstimateChart> charts_of(const plan::BoundStatistic& statistic, const release::Table& table,
                                           const std::string& confidence);

}  // namespace vernier::report
