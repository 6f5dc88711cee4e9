#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/output.hpp"
#include "plot/chart.hpp"
#include "vernier/core/progress.hpp"
#include "vernier/core/result.hpp"
#include "vernier/coverage/coverage.hpp"
#include "vernier/coverage/question.hpp"

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

// Values that a program has, in the place of a file and its column: what they are called in reports.
struct CoverageValues {
  std::vector<double> values;
  std::string origin;  // "the column educ"
};

Result<CoverageRequest> coverage_request(const Given& given, const std::optional<CoverageValues>& own = {});

// The number of a point that this key names.
double value_of(const coverage::Point& point, const std::string& key);

// The statistic, the claim and the way to make intervals.
Result<coverage::Question> coverage_question(const Given& given);

// `vernier coverage`: do intervals hold what they are said to hold? By simulation, on public or synthetic data.
Usage coverage_usage();
Result<void> run_coverage(const Arguments& arguments, Output& output);

// For a program: what the command prints with --json, also where a claim is refuted. No file is written.
Result<std::string> coverage_json(const Given& given, const std::optional<CoverageValues>& own = {},
                                  const Progress& progress = nobody_watches);

// What the request asks, for whoever watches it.
Result<coverage::Report> simulated(const CoverageRequest& request, const Progress& progress);

// A table for a person, or one JSON object.
void write_report(Output& output, const CoverageRequest& request, const coverage::Report& report);

// "mean of educ of people.csv, bounded to [1, 16]"
std::string subject_text(const CoverageRequest& request);

// Of whom the interval is said to hold the value: "sample" or "population".
std::string_view covered_text(const CoverageRequest& request);

// The sentence about a claim that is refuted.
std::string refutation(const CoverageRequest& request, const coverage::Report& report);

// Coverage against what is swept (epsilon where nothing is), with the claim and the intervals of Clopper and Pearson.
plot::Chart coverage_chart(const CoverageRequest& request, const coverage::Report& report);

// A hundred intervals of the last point around what they are to hold, those that miss it in another colour. Around a
// sample's value, which differs from one to the next, as distances from it.
plot::Chart intervals_chart(const CoverageRequest& request, const coverage::Report& report);

// "cover.svg" -> "cover-intervals.svg"
std::string intervals_file(const std::string& plot);

}  // namespace vernier::cli
