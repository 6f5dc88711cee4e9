#pragma once

#include <string>

#include "cli/coverage_request.hpp"
#include "cli/output.hpp"

namespace vernier::cli {

// A table for a person, or one JSON object.
void write_report(Output& output, const CoverageRequest& request, const coverage::Report& report);

// "mean of educ of people.csv, bounded to [1, 16]"
std::string subject_text(const CoverageRequest& request);

// Of whom the interval is said to hold the value: "sample" or "population".
std::string_view covered_text(const CoverageRequest& request);

// The sentence about a claim that is refuted.
std::string refutation(const CoverageRequest& request, const coverage::Report& report);

}  // namespace vernier::cli
