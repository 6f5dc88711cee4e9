#pragma once

#include <algorithm>
#include <vector>

#include "vernier/engine/raw_aggregates.hpp"

namespace vernier::testing {

// Looks into the exact numbers, which nobody but release/ may do outside of tests.
class Recorder {
 public:
  static const std::vector<engine::RawGroup>& groups(const engine::RawAggregates& aggregates) {
    return aggregates.groups_;
  }

  // In the order of cells or keys.
  static std::vector<engine::RawGroup> sorted(const engine::RawAggregates& aggregates) {
    std::vector<engine::RawGroup> groups = aggregates.groups_;
    std::sort(groups.begin(), groups.end(), [](const engine::RawGroup& a, const engine::RawGroup& b) {
      return std::pair(a.cell, a.keys) < std::pair(b.cell, b.keys);
    });
    return groups;
  }
};

}  // namespace vernier::testing
