#pragma once

#include <limits>
#include <string>

#include "vernier/core/text.hpp"
#include "vernier/numeric/search.hpp"
#include "vernier/privacy/parameters.hpp"

namespace vernier::mechanism {

// The least scale at which a curve's certified delta is at most the one wanted. delta must fall as the scale grows.
// curve_at(scale).delta(epsilon) gives it; only speed depends on the guess. What is returned has passed that very test,
// and the double before it has not.
template <class CurveAt>
Result<double> least_scale_for(privacy::Epsilon epsilon, privacy::Delta delta, double guess, const CurveAt& curve_at) {
  const auto satisfies = [&](double scale) { return curve_at(scale).delta(epsilon).upper <= delta.value(); };
  return numeric::least_double(satisfies, guess, {std::numeric_limits<double>::min(), 1e200});
}

// The sentence for a budget whose scale no law takes.
inline Failure no_such_scale(privacy::Epsilon epsilon, privacy::Delta delta, const std::string& sensitivity,
                             double scale, double least, double greatest) {
  return invalid("epsilon " + shortest(epsilon.value()) + ", delta " + shortest(delta.value()) + " and sensitivity " +
                     sensitivity + " need the scale " + shortest(scale) + ", but a scale must lie between " +
                     shortest(least) + " and " + shortest(greatest),
                 "choose another epsilon or sensitivity");
}

}  // namespace vernier::mechanism
