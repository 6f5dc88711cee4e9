#pragma once

#include "cli/coverage_request.hpp"
#include "plot/chart.hpp"

namespace vernier::cli {

// Coverage against what is swept (epsilon where nothing is), with the claim and the intervals of Clopper and Pearson.
plot::Chart coverage_chart(const CoverageRequest& request, const coverage::Report& report);

// A hundred intervals of the last point around what they are to hold, those that miss it in another colour. Around a
// sample's value, which differs from one to the next, as distances from it.
plot::Chart intervals_chart(const CoverageRequest& request, const coverage::Report& report);

// "cover.svg" -> "cover-intervals.svg"
std::string intervals_file(const std::string& plot);

}  // namespace vernier::cli
