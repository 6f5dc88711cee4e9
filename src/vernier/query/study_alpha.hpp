#pragma once

#include "vernier/numeric/rational.hpp"

// The alphas that a study takes. What an interval leaves to its parts, down to the noises of one of 10^9 groups, is
// then a chance that doubles hold.
namespace vernier::query {

inline constexpr const char *least_study_alpha = "1e-200", *greatest_study_alpha = "0.999";

// Above this a confidence is meant; files and questions that state more are refused.
inline constexpr const char* greatest_told_alpha = "0.5";

inline bool is_study_alpha(const numeric::Rational& alpha) {
  return alpha >= *numeric::Rational::of_decimal(least_study_alpha) &&
         alpha <= *numeric::Rational::of_decimal(greatest_study_alpha);
}

}  // namespace vernier::query
