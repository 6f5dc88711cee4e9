#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "vernier/coverage/coverage.hpp"

namespace vernier::cli {

inline constexpr std::size_t most_coverage_points = 10'000;

// What the user of `vernier coverage` asks, checked.
struct CoverageRequest {
  coverage::Population population;
  std::string origin;     // of the values: "educ of people.csv", or the distribution as it was written
  std::string statistic;  // as it was written: "mean"
  coverage::Question question;
  std::vector<coverage::Point> points;
  std::vector<std::string> swept;  // "epsilon", "size", "alpha", "lower", "upper": what differs between points
  std::int64_t simulations;
  std::optional<std::string> plot;
  bool json;
};

std::vector<std::string> statistic_names();
std::vector<std::string> interval_names();

// Values that a program has, in the place of --data and --column: what they are called in reports.
struct CoverageValues {
  std::vector<double> values;
  std::string origin;  // "the column educ"
};

Result<CoverageRequest> coverage_request(const Arguments& arguments, const std::optional<CoverageValues>& values = {});

// The number of a point that this key names.
double value_of(const coverage::Point& point, const std::string& key);

}  // namespace vernier::cli
