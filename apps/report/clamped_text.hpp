#pragma once

#include <string>
#include <vector>

#include "vernier/plan/bound_study.hpp"
#include "vernier/release/release.hpp"

namespace vernier::report {

// Of each column beside which moved rows are counted: that it is about bounded values, and how many rows the bounds
// have changed. Nothing is corrected: how far the moved values lay outside cannot be known.
std::vector<std::string> clamped_sentences(const plan::BoundStatistic& statistic, const release::Table& table);

}  // namespace vernier::report
