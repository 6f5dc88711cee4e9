#pragma once

#include <vector>

#include "vernier/random/source.hpp"
#include "vernier/release/release.hpp"
#include "vernier/release/series/step_record.hpp"

// Where the exact numbers of a series meet noise. Nothing exact is kept between steps: each of them reads all rows up
// to it anew.
namespace vernier::release {

struct SeriesToDraw {
  const plan::BoundSeries& bound;
  const plan::PlannedSeries& planned;
};

// The noisy numbers of the steps from `first` to `step`, with fresh noise. The budget must have been reserved. Where
// the engine fails the tables are closed.
Result<std::vector<NoisySteps>> drawn_steps(const std::vector<SeriesToDraw>& all, std::int64_t first, std::int64_t step,
                                            engine::Session& session, random::Source& source, const Request& request);

}  // namespace vernier::release
