#pragma once

#include <functional>
#include <span>
#include <vector>

#include "vernier/interval/regression/moments.hpp"
#include "vernier/interval/relation/pair_noise.hpp"
#include "vernier/plan/statistic/regression.hpp"

// Regressions on several x, and components, of values between steps: how far they are from those of the steps, where
// something is known of the spreads. rounding.md has the proof.
namespace vernier::plan {

// Of all columns, y last.
std::vector<PairedGrid> all_grids(const Measurement& one);

// Whether it is one of these, and a column may lie between steps.
bool is_rounded_regression(const Measurement& one);

// Deviations of the steps, divided by n, in half ranges: x along the direction in which they have least, and y, from
// both sides. Of components the greatest variance, in their own units, from below.
struct KnownScatter {
  double least_x = 0, least_y = 0, greatest_y = 1;
  double greatest_variance = 0;
};

// What the noisy sums say of them, each but for a part of alpha.
using ScatterOf = std::function<Result<KnownScatter>(std::span<const std::int64_t>)>;
Result<ScatterOf> known_scatter(const interval::PairLaw& law, const interval::MomentShape& shape, Alpha part);

Estimate widened_regression(const Measurement& one, Estimate found, const KnownScatter& known);

}  // namespace vernier::plan
