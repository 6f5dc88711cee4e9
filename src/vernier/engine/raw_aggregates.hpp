#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "vernier/noise/rank_runs.hpp"
#include "vernier/query/value.hpp"

namespace vernier::release {
class Opening;
}
namespace vernier::testing {
class Recorder;  // defined in test builds alone: the twin runs compare what is in here
}

namespace vernier::engine {

// One group of a statistic, before noise.
struct RawGroup {
  std::int64_t cell = 0;           // of public keys
  std::vector<query::Value> keys;  // of private ones
  std::vector<std::int64_t> tallies;
  std::vector<std::vector<noise::Occupied>> histograms = {};  // of each: how many rows have each point, in its order
};

// Of weighted rows, whose numbers are a multiple of `packing` by the point, plus the weight: their weights in place of
// their number, each point once. What leaves 62 bits stays at their end, which no statistic takes.
std::vector<noise::Occupied> weighed(const std::vector<noise::Occupied>& packed, std::int64_t packing);

// Overwrites the value with zeros.
void wipe(query::Value& value);

// The exact numbers of one statistic. They cannot be printed, written or copied out: only release/ opens them, to add
// noise.
class RawAggregates {
 public:
  explicit RawAggregates(std::vector<RawGroup> groups) : groups_(std::move(groups)) {}
  RawAggregates(RawAggregates&&) = default;
  RawAggregates& operator=(RawAggregates&&) = default;
  RawAggregates(const RawAggregates&) = delete;
  RawAggregates& operator=(const RawAggregates&) = delete;
  ~RawAggregates();  // wipes

 private:
  friend class release::Opening;
  friend class testing::Recorder;
  std::vector<RawGroup> groups_;  // in the engine's order, which nobody may rely on
};

}  // namespace vernier::engine
