#pragma once

#include <functional>

#include "vernier/audit/finding.hpp"
#include "vernier/audit/released.hpp"
#include "vernier/random/source.hpp"

// Whether published intervals hold the exact numbers as often as they say.
namespace vernier::audit {

// The significance of all intervals that are tried.
inline constexpr double tried_alpha = 0.1;

struct CoverageCase {
  std::vector<std::string> claims;  // one for each column
  std::string columns;              // named a, b, ...
  std::size_t groups;               // of a release
};
std::vector<CoverageCase> coverage_cases();

// Values of x in [0, 10], `rows_of_group` rows for each group.
inline constexpr int rows_of_group = 15;
struct Sample {
  std::vector<std::vector<std::int64_t>> groups;
  std::string csv;
};
Result<Sample> sample_of(std::size_t groups, random::Source& source);

// The exact number of a column ("COUNT(*)", "SUM(x)", "AVG(x)", "VARIANCE(x)", "MEDIAN(x)") over a group.
double truth_of(const std::string& claim, const std::vector<std::int64_t>& values);

std::string coverage_catalog(std::size_t groups);
std::vector<std::string> coverage_query(const CoverageCase& one);

Finding finding_on_coverage(std::string claim, Hits held);

// Releases a sample, by the program or by what a test puts in its place.
using ReleaseSample = std::function<Result<Released>(const CoverageCase&, const Sample&)>;
Result<std::vector<Finding>> covered(const CoverageCase& one, const ReleaseSample& release, random::Source& source,
                                     const Timekeeper& time, Timekeeper::Clock::time_point end);
Result<Section> audited_coverage(const ReleaseSample& release, const Timekeeper& time, double part);

}  // namespace vernier::audit
