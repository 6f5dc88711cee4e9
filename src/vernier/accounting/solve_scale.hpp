#pragma once

#include <functional>

#include "vernier/accounting/accountant.hpp"
#include "vernier/noise/integer_scale.hpp"

namespace vernier::accounting {

struct ScaleRange {
  double least;
  double greatest;
};
inline constexpr ScaleRange real_scales{least_scale, greatest_scale};
inline constexpr ScaleRange integer_scales{noise::least_integer_scale, noise::greatest_integer_scale};

// A composition of which some releases share one scale, at that scale.
using CompositionAt = std::function<Result<Accountant>(double scale)>;

// The least scale of the range at which delta(epsilon) is certified to be at most delta, up to a relative 1e-9: at the
// double that is returned the upper end was seen to be, at one less than 1e-9 below it not (or that is the end of the
// range). Where privacy does not grow steadily with the scale, as for discrete Gaussian noise, another scale may be
// less (solve_scale.md). An error where no scale does.
Result<double> solve_scale(const CompositionAt& composition, ScaleRange range, privacy::Epsilon epsilon,
                           privacy::Delta delta, Tightness tightness = Tightness::usual());

}  // namespace vernier::accounting
