#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"

namespace vernier::report {

// What is to be said of the intervals of a statistic, each a sentence; nothing where they are as usual.
std::vector<std::string> inference_sentences(const plan::BoundStatistic& statistic);

// Whether any statistic of the study asks for it.
bool any_of_population(const plan::BoundStudy& study);
bool any_simultaneous(const plan::BoundStudy& study);

}  // namespace vernier::report
