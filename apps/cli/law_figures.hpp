#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/output.hpp"
#include "vernier/core/types.hpp"
#include "vernier/noise/any_law.hpp"

namespace vernier::cli {

enum class LawFunction { density, cumulative, tail, quantile };

// One figure of a law: the argument as the user gave it, the value, and its certified bounds where it is no exact one.
struct LawFigure {
  Number argument;
  Number value;
  std::optional<Bounds> bounds;
};

bool is_over_integers(const noise::AnyLaw& law);

// The density, for integer noise the probability, or the cumulative or tail probability at a point: an integer for
// integer noise, a finite double for noise over the reals.
Bounds law_bounds(const noise::AnyLaw& law, LawFunction function, const Number& point);

// The middle of the bounds stands for the figure; what is too small for a double is the least double, never 0.
double middle(const Bounds& bounds);

// The least x with P[noise <= x] >= p; the ends of the axis belong to 0 and 1.
Result<Number> law_quantile(const noise::AnyLaw& law, Probability p);

// The figure at the argument that `text` holds; `option` is the subject of the sentence when it breaks a rule.
Result<LawFigure> law_figure(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                             std::string_view text);

}  // namespace vernier::cli
