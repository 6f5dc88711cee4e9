#pragma once

#include <functional>

#include "vernier/plan/bound_study.hpp"

// What is measured in which way, and what statistics share: by what the whole then costs. ways.md says how.
namespace vernier::plan {

// How dear a study is in which all is decided, the less the better: for targets the logarithm of their epsilon, under a
// budget that of the accuracies it buys.
using Worth = std::function<Result<double>(const BoundStudy&)>;

// The same study with a way for each statistic, and with what they share. One that is settled stays as it is.
BoundStudy settled(BoundStudy study, const Worth& worth);

}  // namespace vernier::plan
