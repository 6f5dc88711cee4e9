#pragma once

#include "support/signed_releases.hpp"

// Releases whose studies say something of intervals.
namespace vernier::testing {

inline BoundStatistic inferred(BoundStatistic statistic, const query::Inference& inference) {
  statistic.inference = inference;
  return statistic;
}

inline const std::vector<NamedRelease>& inferred_releases() {
  static const std::vector<NamedRelease> made = {
      {"guaranteed", released({inferred(with_columns(by_region(), {2, 0}), {.is_guaranteed = true})}, {})},
  };
  return made;
}

}  // namespace vernier::testing
