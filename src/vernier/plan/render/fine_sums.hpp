#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vernier/plan/render/rows.hpp"
#include "vernier/plan/statistic/fine_sum.hpp"

// The parts of a statement that add up in finer steps than those of the noise: render.md says why no unit moves a sum
// further by it.
namespace vernier::plan {

// The places of such arguments, and of a tally into how many parts of a step it is added up, as a power of two.
std::vector<std::size_t> fine_arguments(const BoundStatistic& statistic);
int halvings_of(const BoundStatistic& statistic, const Tally& tally);

// How many fine steps a row has beyond the whole steps of "a0", at most half a step to either side: the column y0.
std::string residual_column(std::size_t i);
std::string residual(const Argument& argument, int halvings, const Style& style);

// The sum in fine steps: of rows a0 and y0, and of what units have, n0 values with the sums s0 and y0.
std::string fine_sum_of_rows(const Tally& tally, int halvings, const Style& style);
std::string fine_sum_of_units(const Tally& tally, int halvings, std::int64_t rows, const Style& style);

// Such a sum t to the nearest whole step, the upper one of two, within 2^62, as a BIGINT under its name.
std::string held_fine(const std::string& t, int halvings, const query::Dialect& in);

}  // namespace vernier::plan
