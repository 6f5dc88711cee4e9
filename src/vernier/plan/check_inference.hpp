#pragma once

#include "vernier/plan/bound_study.hpp"

namespace vernier::plan {

// Whether the statistic, whose measurements are bound, can honour what its inference asks for. The sentence of an error
// is the end of one that names the statistic.
Result<void> check_inference(const BoundStatistic& statistic);

}  // namespace vernier::plan
