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

// The figure at the argument that `text` holds; `option` is the subject of the sentence when it breaks a rule.
Result<LawFigure> law_figure(const noise::AnyLaw& law, LawFunction function, std::string_view option,
                             std::string_view text);

}  // namespace vernier::cli
